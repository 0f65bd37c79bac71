"""Jobs: the queue of a section, and one job with its progress and its answer."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments.models import Job
from tournaments.selectors import records
from tournaments.selectors.drafts import refusal_of
from tournaments.web import rest
from tournaments.web.api.access import desk_section, job_in
from tournaments.web.api.filtering import described, filtered


def job_address(job: Job) -> str:
    section = job.section
    return reverse("api-job", args=[section.event.code, section.code, job.pk])


class JobErrorSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    message = serializers.CharField()
    details = serializers.JSONField()


class JobSerializer(serializers.Serializer[Job]):
    """`done` of `total` steps are worked. A failed job carries its answer in `error`; it is not tried again."""

    id = serializers.IntegerField()
    url = serializers.SerializerMethodField()
    kind = serializers.ChoiceField(Job.Kind.choices)
    state = serializers.ChoiceField(Job.State.choices)
    round = serializers.IntegerField(source="round_number", allow_null=True)
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    error = serializers.SerializerMethodField()

    def get_url(self, job: Job) -> str:
        return job_address(job)

    @extend_schema_field(JobErrorSerializer(allow_null=True))
    def get_error(self, job: Job) -> dict[str, Any] | None:
        if job.state != Job.State.FAILED:
            return None
        details = {name: value for name, value in job.error_values.items() if name != "message"}
        return {"code": job.error_code, "message": refusal_of(job), "details": details}


class JobFilter(filters.FilterSet):
    kind = filters.ChoiceFilter(choices=Job.Kind.choices)
    state = filters.ChoiceFilter(choices=Job.State.choices)

    class Meta:
        model = Job
        fields: list[str] = []


class JobListView(APIView):
    @extend_schema(
        operation_id="list_jobs",
        tags=["desk"],
        parameters=[*rest.PAGE, *described(JobFilter)],
        responses={200: rest.paged(JobSerializer), **rest.errors(400, 403, 404)},
    )
    def get(self, request: Request, event: str, section: str) -> Response:
        """For officials: pairing and standings jobs, the latest first."""
        found = desk_section(request, event, section)

        def show(job: Job) -> Any:
            job.section = found
            return JobSerializer(job).data

        return rest.private(rest.page_of(request, filtered(JobFilter, request, records.jobs(found)), show))


class JobView(APIView):
    @extend_schema(
        operation_id="read_job", tags=["desk"], responses={200: JobSerializer, **rest.errors(403, 404)}
    )
    def get(self, request: Request, event: str, section: str, job: int) -> Response:
        found = desk_section(request, event, section)
        one = job_in(found, job)
        one.section = found
        return rest.private(JobSerializer(one).data)
