import gzip

import pytest

from mlcore.bayes import read_bif

HEAD = """network test { }
variable rain { type discrete [ 2 ] { yes, no }; }
variable wet { type discrete [ 3 ] { dry, damp, soaked }; }
"""
RAIN = "probability ( rain ) { table 0.2, 0.8; }\n"
WET = "probability ( wet | rain ) { (yes) 0.1, 0.2, 0.7; (no) 0.8, 0.1, 0.1; }\n"


def wet(text):
    return read_bif(HEAD + RAIN + text).factor("wet").values.round(12).tolist()


def test_tables_rows_and_defaults():
    expected = [[0.1, 0.2, 0.7], [0.8, 0.1, 0.1]]
    assert wet(WET) == expected
    assert wet("probability ( wet | rain ) { (no) 0.8, 0.1, 0.1; (yes) 0.1, 0.2, 0.7; }") == expected
    assert wet("probability ( wet | rain ) { default 0.1 0.2 0.7; (no) 0.8 0.1 0.1; }") == expected
    assert wet("probability ( wet rain ) { table 0.1 0.8, 0.2 0.1, 0.7 0.1; }") == expected  # the first one slowest
    assert wet("probability ( wet | rain ) { default 1e-1, 2.E-1, +.7; (no) 0.8, 0.1, 0.1; }") == expected


def test_names_in_the_order_of_declaration():
    net = read_bif(HEAD + WET + RAIN)
    assert net.names == ("rain", "wet")
    assert net.states("wet") == ("dry", "damp", "soaked")
    assert net.parents("wet") == ("rain",)


def test_two_parents_the_last_one_changing_fastest():
    text = """
    variable c { type discrete [ 2 ] { c1, c2 }; }
    probability ( c | wet, rain ) {
        (dry, yes) 0.1, 0.9; (damp, yes) 0.2, 0.8; (soaked, yes) 0.3, 0.7;
        (dry, no) 0.4, 0.6; (damp, no) 0.5, 0.5; (soaked, no) 0.6, 0.4; }
    """
    by_rows = read_bif(HEAD + RAIN + WET + text).factor("c")
    assert by_rows.variables == ("wet", "rain", "c")
    assert by_rows.value(wet="damp", rain="no", c="c1") == 0.5
    table = "table .1 .4 .2 .5 .3 .6  .9 .6 .8 .5 .7 .4;"
    by_table = read_bif(HEAD + RAIN + WET + text[: text.index("(dry")] + table + "}").factor("c")
    assert (by_table.values == by_rows.values).all()


def test_comments_quotes_properties_and_odd_names():
    net = read_bif("""
    // made by hand { "
    network "Dog Problem" { property author = "somebody; nobody" ; property version 0.15; }
    /* two
       lines } */
    variable "light-on?" {   // "
      type discrete[2] { "true" "}" };
      property "position = (218, 195)" ;
    }
    variable x<5.0 { property note; type discrete [ 3 ] { -1, >=2, table }; }
    probability("light-on?"){ property a b; table /* first */ 0.6 /* then */ 0.4; }
    probability ( x<5.0 | "light-on?" ) { ("true") 1 0 0; ("}") 0 0.5 0.5; }
    """)
    assert net.names == ("light-on?", "x<5.0")
    assert net.states("light-on?") == ("true", "}")
    assert net.states("x<5.0") == ("-1", ">=2", "table")
    assert net.factor("x<5.0").value({"light-on?": "}", "x<5.0": "table"}) == 0.5


def test_rounded_numbers_are_scaled_and_others_told():
    assert read_bif(HEAD + RAIN.replace("0.8", "0.7999995") + WET).factor("rain").values.sum() == pytest.approx(
        1, abs=1e-15
    )
    with pytest.raises(
        ValueError, match="line 4: table of rain: expected probabilities that sum to 1, got the sum 0.9"
    ):
        read_bif(HEAD + RAIN.replace("0.8", "0.7") + WET)


def test_files(tmp_path):
    text = HEAD + RAIN + WET
    plain, packed = tmp_path / "net.bif", tmp_path / "net.bif.gz"
    plain.write_text(text)
    packed.write_bytes(gzip.compress(text.encode()))
    for source in (plain, str(plain), packed, str(packed)):
        assert read_bif(source).names == ("rain", "wet")
    with pytest.raises(FileNotFoundError):
        read_bif(tmp_path / "none.bif")


@pytest.mark.parametrize(
    "text, message",
    [
        ("network x {", "line 1: expected 'property' or '}', got the end of the text"),
        ("network x { }", "line 1: expected at least one variable, got the end of the text"),
        ("network x { } \n\n graph {", "line 3: expected 'network' or 'variable' or 'probability', got graph"),
        ("network x { property never ends }", "line 1: expected ';', got the end of the text"),
        ("variable { }", "line 1: expected the name of a variable, got {"),
        ("variable a { }", "line 1: expected the type of 'a', got }"),
        ("variable a { type real [ 2 ] { x y }; }", "line 1: expected 'discrete', got real"),
        ("variable a { type discrete [ 3 ] { x y }; }", "line 1: expected 3 states of 'a', got 2: x y"),
        ("variable a { type discrete [ ] { x y }; }", "expected the number of states, got ]"),
        ("variable a {\n type discrete [ 1 ] { x } \n}", "line 3: expected ';', got }"),
        ("variable a { /* never closed", "line 1: expected the end of every comment and of every quoted name"),
        ('variable a {\n "never closed\n" }', "line 2: expected the end of every comment and of every quoted name"),
        (HEAD + "variable rain { type discrete [ 1 ] { x }; }", "line 4: expected each variable once, got rain"),
        (HEAD + RAIN, "line 5: expected a probability block for 'wet', got the end of the text"),
        (HEAD + RAIN + RAIN, "line 5: expected one probability block for 'rain', got a second one"),
        (HEAD + "probability ( ) { }", "line 4: expected the name of a variable, got )"),
        (HEAD + "probability ( rain | fire ) { }", "line 4: expected a variable declared above, got fire"),
        (HEAD + "probability ( rain ) { }", "line 4: expected a row of 'rain' for (), got none, and no default"),
        (HEAD + "probability ( rain ) { table 1; }", "line 4: expected 2 finite numbers, got 1"),
        (HEAD + "probability ( rain ) { table 0.1 often; }", "line 4: expected numbers, got 'often'"),
        (HEAD + "probability ( rain ) { table nan nan; }", "line 4: expected 2 finite numbers, got nan nan"),
        (HEAD + "probability ( rain ) {\n table 0.2 0.8 }", "line 5: expected ';', got }"),
        (HEAD + "probability ( rain ) { table 1.2 -0.2; }", "line 4: table of rain: expected probabilities, got -0.2"),
        (HEAD + "probability ( rain ) { table 0 1; default 0 1; }", "for 'rain' either a table or rows, got both"),
        (HEAD + "probability ( wet | rain ) { (yes) 1 0 0; }", "a row of 'wet' for (no), got none, and no default"),
        (HEAD + "probability ( wet | rain ) {\n\n (maybe) 1 0 0; }", "6: expected a state of 'rain' (yes no), got"),
        (HEAD + "probability ( wet | rain ) { (yes, no) 1 0 0; }", "states of 1 parents of 'wet', got 2"),
        (HEAD + "probability ( wet | rain ) { (yes) 1 0 0; (yes) 1 0 0; }", "one row for yes, got a second one"),
        (HEAD + "probability ( rain ) { table 0 1; table 0 1; }", "4: expected one table of 'rain', got a"),
        (HEAD + "probability ( rain ) { default 0 1;\n default 0 1; }", "5: expected one default of 'rain', got a"),
        (HEAD + "probability ( wet | wet ) { default 1 0 0; }", "line 4: expected each variable once, got wet wet"),
        (HEAD + "probability ( rain | wet ) { default 0 1; }" + WET, "without a cycle, got rain → wet → rain"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(text, message):
    with pytest.raises(ValueError) as raised:
        read_bif(text)
    assert message in str(raised.value)


TEXT = """network n { }
variable caf\u00e9 { type discrete [ 2 ] { y, n }; }
probability ( caf\u00e9 ) { table 0.5, 0.5; }
"""


def test_a_byte_order_mark_is_no_word(tmp_path):
    path = tmp_path / "net.bif"
    path.write_bytes(TEXT.encode("utf-8-sig"))
    packed = tmp_path / "net.bif.gz"
    packed.write_bytes(gzip.compress(TEXT.encode("utf-8-sig")))
    for source in (path, str(path), packed, TEXT, "\ufeff" + TEXT):
        assert read_bif(source).names == ("caf\u00e9",)


@pytest.mark.parametrize(("encoding", "line"), [("latin-1", 2), ("cp1252", 2), ("utf-16", 1)])
def test_another_encoding_is_refused_with_the_line(tmp_path, encoding, line):
    path = tmp_path / "net.bif"
    path.write_bytes(TEXT.encode(encoding))
    with pytest.raises(ValueError, match=f"^line {line}: expected a text in UTF-8, got the byte 0x"):
        read_bif(path)


@pytest.mark.parametrize("source", ["", " ", "\n", None, 3, b"network", ["a"]], ids=repr)
def test_what_is_neither_file_nor_text(source):
    with pytest.raises(ValueError, match="^source: expected the path of a file or a text with braces"):
        read_bif(source)


def test_files_that_cannot_be_read(tmp_path):
    cut = tmp_path / "cut.bif.gz"
    cut.write_bytes(gzip.compress(TEXT.encode())[:-9])
    no_gzip = tmp_path / "text.bif.gz"
    no_gzip.write_text("network")
    for source in (cut, no_gzip, tmp_path, tmp_path / "missing.bif"):
        with pytest.raises(OSError, match=r"."):
            read_bif(source)
    empty = tmp_path / "empty.bif"
    empty.touch()
    with pytest.raises(ValueError, match="expected at least one variable"):
        read_bif(empty)
