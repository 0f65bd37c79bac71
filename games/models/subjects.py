"""What can be appealed."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Subject(models.TextChoices):
    """What an appeal is against (articles 13.1.5, 16.1): any decision of an arbiter, whether or not a ruling was written."""

    RULING = "RULING", _("a ruling")
    RESULT = "RESULT", _("a result entered or accepted")
    CLAIM = "CLAIM", _("a draw claim refused")
    SEALED = "SEALED", _("a sealed move as it was judged")
    POINTS = "POINTS", _("points given or taken")
    REFUSAL = "REFUSAL", _("a refusal to log or to act")
    PAIRING = "PAIRING", _("a pairing")
    OTHER = "OTHER", _("another decision")
