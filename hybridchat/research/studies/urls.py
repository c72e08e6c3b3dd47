"""The pages of a study, for those who take part."""

from django.urls import path

from hybridchat.research.studies import views

app_name = "study"
urlpatterns = [
    path("<slug:slug>/", views.join, name="join"),
    path("<slug:slug>/here/", views.here, name="here"),
    path("<slug:slug>/agree/", views.agree, name="agree"),
    path("<slug:slug>/begin/", views.begin, name="begin"),
    path("<slug:slug>/bar/", views.bar, name="bar"),
    path("<slug:slug>/finish/", views.finish, name="finish"),
    path("<slug:slug>/questions/", views.questions, name="questions"),
    path("<slug:slug>/answers/", views.answers, name="answers"),
    path("<slug:slug>/withdraw/", views.withdraw, name="withdraw"),
]
