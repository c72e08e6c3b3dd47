# The production image: one for web, worker and beat (compose.yaml says which is which).
FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /app

COPY requirements.txt requirements-nodeps.txt ./
RUN pip install -r requirements.txt && pip install --no-deps -r requirements-nodeps.txt

COPY . .
RUN python -m agent.networks.weights \
    && PRODUCTION=1 SECRET_KEY=only-to-gather-files ALLOWED_HOSTS=localhost \
       DATABASE_URL=postgresql://nobody@localhost/none REDIS_URL=redis://localhost \
       python manage.py collectstatic --noinput

RUN useradd --system --home /app hybridchat && mkdir var && chown hybridchat var
USER hybridchat

EXPOSE 8000
CMD ["uvicorn", "hybridchat.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--lifespan", "off", "--no-proxy-headers"]
