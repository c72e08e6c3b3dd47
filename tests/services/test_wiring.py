"""The tests run on the real servers."""

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection


@pytest.mark.django_db
def test_the_database_is_postgresql_18_with_a_test_name() -> None:
    User.objects.create(username="curator")
    assert User.objects.count() == 1
    assert connection.pg_version >= 180000
    assert connection.settings_dict["NAME"].startswith("test_hybridchat_")


def test_the_cache_is_a_real_redis() -> None:
    cache.set("colour", "terracotta")
    assert cache.get("colour") == "terracotta"
