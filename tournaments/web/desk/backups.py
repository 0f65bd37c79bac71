"""The backups of the site, for its owner: what there is, one more, taking one away, proving one."""

from __future__ import annotations

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.errors import DomainError
from tournaments.services import backups as services
from tournaments.services.backups import BackupError
from tournaments.web.http import actor_of, desk_page, writes_when_read


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    actor = actor_of(request)
    services.require_owner(actor)
    if request.method != "POST":
        made = [(at, path.name, path.stat().st_size) for at, path in services.made_backups()]
        return render(request, "desk/backups.html", {"backups": made})
    try:
        if "check" in request.POST:
            name = request.POST["check"]
            services.inspect(services.backup_named(actor, name))
            messages.success(request, _("%(name)s is whole.") % {"name": name})
        else:
            services.back_up_now(actor, timezone.now())
            messages.success(request, _("The backup is made."))
    except (BackupError, DomainError) as error:
        messages.error(request, error.message)
    return redirect("desk:backups")


@writes_when_read
@desk_page
@require_safe
def file(request: HttpRequest, kept: str) -> HttpResponse:
    path = services.download(actor_of(request), kept)
    response: HttpResponseBase = FileResponse(path.open("rb"), as_attachment=True, filename=kept)
    return response  # type: ignore[return-value]
