"""The pages of the chat."""

from django.urls import path

from hybridchat.chat import views

app_name = "chat"
urlpatterns = [
    path("", views.start, name="start"),
    path("a/<slug:slug>/", views.start, name="assistant"),
    path("a/<slug:slug>/picture/", views.picture_of_assistant, name="assistant_picture"),
    path("c/<uuid:conversation>/", views.conversation, name="conversation"),
    path("new/", views.new, name="new"),
    path("c/<uuid:conversation>/rename/", views.rename, name="rename"),
    path("c/<uuid:conversation>/delete/", views.delete, name="delete"),
    path("c/<uuid:conversation>/feedback/", views.feedback, name="feedback"),
    path("history/", views.history, name="history"),
    path("connect/", views.connect, name="connect"),
    path("pictures/kept/<slug:digest>/", views.kept_picture, name="kept_picture"),
    path("pictures/<slug:slug>.svg", views.picture, name="picture"),
]
