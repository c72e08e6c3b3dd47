"""The pages under /mine/."""

from django.urls import path

from hybridchat.effects import views

app_name = "effects"
urlpatterns = [
    path("", views.mine, name="mine"),
    path("bookings/<slug:reference>/cancel/", views.cancel, name="cancel"),
    path("bookings/<slug:reference>/calendar.ics", views.calendar, name="calendar"),
    path("courses/<slug:reference>/drop/", views.drop, name="drop"),
]
