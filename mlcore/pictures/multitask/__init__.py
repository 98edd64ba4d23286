"""Pictures of the chapter on Gaussian processes for several tasks."""

from mlcore.pictures.multitask._four_sensors import four_sensors
from mlcore.pictures.multitask._joint_covariance import joint_covariance
from mlcore.pictures.multitask._task_correlations import task_correlations
from mlcore.pictures.multitask._third_correlation import allowed_interval, third_correlation
from mlcore.pictures.multitask._two_tasks import two_tasks

__all__ = [
    "allowed_interval",
    "four_sensors",
    "joint_covariance",
    "task_correlations",
    "third_correlation",
    "two_tasks",
]
