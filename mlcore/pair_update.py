def clipped_step(alpha1, alpha2, y1, y2, E1, E2, curvature, C):
    if y1 != y2:
        L, H = max(0.0, alpha2 - alpha1), min(C, C + alpha2 - alpha1)
    else:
        L, H = max(0.0, alpha1 + alpha2 - C), min(C, alpha1 + alpha2)
    slope = y2 * (E1 - E2)
    if curvature > 0:
        unclipped = alpha2 + slope / curvature
    else:
        gain_L = slope * (L - alpha2) - curvature * (L - alpha2)**2 / 2
        gain_H = slope * (H - alpha2) - curvature * (H - alpha2)**2 / 2
        unclipped = -float("inf") if gain_L > gain_H else float("inf")
    clipped = min(max(unclipped, L), H)
    new = alpha1 + y1 * y2 * (alpha2 - clipped)
    if (clipped == L and L > 0) or (clipped == H and H < C):
        new = 0.0 if new < C / 2 else C
    return L, H, unclipped, min(max(new, 0.0), C), clipped
