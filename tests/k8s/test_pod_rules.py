"""What kube-score and the restricted pod security standard ask of every pod."""

from __future__ import annotations

from typing import Any

import pytest

Manifest = dict[str, Any]
HIGH_ID = 10_000
SERVERS = ("gateway", "platform", "rules")
DEPLOYED = (*SERVERS, "bots")
ALL = (*DEPLOYED, "migration")


@pytest.fixture(params=ALL)
def workload(request: pytest.FixtureRequest, workloads: dict[str, Manifest]) -> Manifest:
    return workloads[request.param]


@pytest.fixture(params=SERVERS)
def server(request: pytest.FixtureRequest, workloads: dict[str, Manifest]) -> Manifest:
    return workloads[request.param]


@pytest.fixture(params=DEPLOYED)
def deployed(request: pytest.FixtureRequest, workloads: dict[str, Manifest]) -> Manifest:
    return workloads[request.param]


def pod_of(workload: Manifest) -> dict[str, Any]:
    return workload["spec"]["template"]["spec"]


def container_of(workload: Manifest) -> dict[str, Any]:
    (container,) = pod_of(workload)["containers"]
    return container


def of_component(manifests: list[Manifest], kind: str, component: str) -> list[Manifest]:
    return [
        manifest
        for manifest in manifests
        if manifest["kind"] == kind
        and manifest["metadata"].get("labels", {}).get("app.kubernetes.io/component") == component
    ]


def test_the_pod_runs_as_an_ordinary_user_with_the_default_seccomp_profile(workload: Manifest) -> None:
    context = pod_of(workload)["securityContext"]
    assert context["runAsNonRoot"] is True
    assert min(context["runAsUser"], context["runAsGroup"], context["fsGroup"]) > HIGH_ID
    assert context["seccompProfile"] == {"type": "RuntimeDefault"}


def test_the_container_can_gain_nothing_and_write_nothing(workload: Manifest) -> None:
    context = container_of(workload)["securityContext"]
    assert context["privileged"] is False
    assert context["allowPrivilegeEscalation"] is False
    assert context["readOnlyRootFilesystem"] is True
    assert context["capabilities"] == {"drop": ["ALL"]}


def test_the_pod_has_no_token_for_the_clusters_api(workload: Manifest) -> None:
    assert pod_of(workload)["automountServiceAccountToken"] is False
    assert not {"hostNetwork", "hostPID", "hostIPC"} & pod_of(workload).keys()


def test_requests_and_limits_are_given_and_fit(workload: Manifest) -> None:
    resources = container_of(workload)["resources"]
    for bound in ("requests", "limits"):
        assert resources[bound].keys() == {"cpu", "memory", "ephemeral-storage"}


def test_the_image_has_an_explicit_tag_and_is_always_pulled(workload: Manifest) -> None:
    container = container_of(workload)
    assert container["image"].rpartition(":")[2] not in {"", "latest"}
    assert container["imagePullPolicy"] == "Always"


def test_only_tmp_can_be_written_and_it_is_bounded(workload: Manifest) -> None:
    volumes = {volume["name"]: volume for volume in pod_of(workload)["volumes"]}
    for mount in container_of(workload)["volumeMounts"]:
        if mount["mountPath"] == "/tmp":
            assert volumes[mount["name"]]["emptyDir"]["sizeLimit"]
        else:
            assert mount["readOnly"] is True


def test_a_server_is_asked_whether_it_has_started_is_ready_and_is_alive(server: Manifest) -> None:
    container = container_of(server)
    probes = [container[f"{name}Probe"] for name in ("startup", "readiness", "liveness")]
    handlers = [probe.get("grpc") or probe["httpGet"] for probe in probes]
    assert handlers[1] != handlers[2], "ready and alive are two questions"


def test_rules_servers_are_probed_by_grpc_and_the_gateway_by_http(workloads: dict[str, Manifest]) -> None:
    rules = container_of(workloads["rules"])
    assert rules["readinessProbe"]["grpc"]["service"] == "foldtable.matches.v1.MatchService"
    assert rules["readinessProbe"]["grpc"]["port"] in {port["containerPort"] for port in rules["ports"]}
    gateway = container_of(workloads["gateway"])
    paths = [gateway[f"{name}Probe"]["httpGet"]["path"] for name in ("startup", "readiness", "liveness")]
    assert paths == ["/startupz", "/readyz", "/livez"]


def test_stopping_fits_into_the_grace_period(server: Manifest, manifests: list[Manifest]) -> None:
    (pause,) = container_of(server)["lifecycle"]["preStop"]["exec"]["command"][1:]
    drains = [
        int(manifest["data"]["FOLDTABLE_DRAIN_SECONDS"])
        for manifest in manifests
        if manifest["kind"] == "ConfigMap" and "FOLDTABLE_DRAIN_SECONDS" in manifest["data"]
    ]
    for drain in drains:
        assert int(pause) + drain < pod_of(server)["terminationGracePeriodSeconds"]


def test_bots_take_no_calls_and_are_alive_while_prometheus_is_answered(
    workloads: dict[str, Manifest],
) -> None:
    container = container_of(workloads["bots"])
    assert "readinessProbe" not in container
    assert container["livenessProbe"]["httpGet"] == {"path": "/metrics", "port": "metrics"}


def test_no_rollout_or_drained_node_takes_every_pod(deployed: Manifest, manifests: list[Manifest]) -> None:
    component = deployed["metadata"]["labels"]["app.kubernetes.io/component"]
    assert deployed["spec"]["strategy"]["type"] == "RollingUpdate"
    assert deployed["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    for budget in of_component(manifests, "PodDisruptionBudget", component):
        assert budget["spec"]["minAvailable"] >= 1
    assert of_component(manifests, "PodDisruptionBudget", component)
    assert pod_of(deployed)["affinity"]["podAntiAffinity"]
    assert pod_of(deployed)["topologySpreadConstraints"]


def test_the_autoscaler_alone_says_how_many_and_never_fewer_than_two(
    deployed: Manifest, manifests: list[Manifest]
) -> None:
    component = deployed["metadata"]["labels"]["app.kubernetes.io/component"]
    assert "replicas" not in deployed["spec"]
    scalers = of_component(manifests, "HorizontalPodAutoscaler", component)
    assert scalers
    for scaler in scalers:
        assert scaler["spec"]["minReplicas"] >= 2


def test_the_migration_ends(workloads: dict[str, Manifest]) -> None:
    job = workloads["migration"]["spec"]
    assert job["activeDeadlineSeconds"] > 0
    assert job["backoffLimit"] > 0
    assert pod_of(workloads["migration"])["restartPolicy"] == "Never"


def test_every_pod_is_under_a_policy_for_both_directions(
    workload: Manifest, manifests: list[Manifest]
) -> None:
    labels = workload["spec"]["template"]["metadata"]["labels"]
    directions = {
        direction
        for policy in manifests
        if policy["kind"] == "NetworkPolicy"
        and (selector := policy["spec"]["podSelector"].get("matchLabels"))
        and selector.items() <= labels.items()
        for direction in policy["spec"]["policyTypes"]
    }
    assert directions == {"Ingress", "Egress"}


def test_what_no_policy_names_is_denied(manifests: list[Manifest]) -> None:
    everything = [
        policy["spec"]
        for policy in manifests
        if policy["kind"] == "NetworkPolicy" and policy["spec"]["podSelector"] == {}
    ]
    assert {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]} in everything


def test_services_are_reached_inside_the_cluster_only(manifests: list[Manifest]) -> None:
    services = [manifest for manifest in manifests if manifest["kind"] == "Service"]
    assert services
    for service in services:
        assert service["spec"]["type"] == "ClusterIP"


def test_the_namespace_enforces_the_restricted_standard(manifests: list[Manifest]) -> None:
    (namespace,) = [manifest for manifest in manifests if manifest["kind"] == "Namespace"]
    assert namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"


def test_metrics_are_reached_by_prometheus_alone(deployed: Manifest, manifests: list[Manifest]) -> None:
    """On a port that no Service names, and that only the namespace `monitoring` may reach."""
    component = deployed["metadata"]["labels"]["app.kubernetes.io/component"]
    container = container_of(deployed)
    (port,) = (one["containerPort"] for one in container["ports"] if one["name"] == "metrics")
    assert {"name": "FOLDTABLE_METRICS_LISTEN", "value": f"0.0.0.0:{port}"} in container["env"]
    annotations = deployed["spec"]["template"]["metadata"]["annotations"]
    assert annotations["prometheus.io/port"] == str(port)
    for service in of_component(manifests, "Service", component):
        assert port not in {one["targetPort"] for one in service["spec"]["ports"]} | {
            one["port"] for one in service["spec"]["ports"]
        }
        assert "metrics" not in {one["targetPort"] for one in service["spec"]["ports"]}
    reaching = [
        rule
        for policy in manifests
        if policy["kind"] == "NetworkPolicy"
        and policy["spec"]["podSelector"].get("matchLabels", {}).get("app.kubernetes.io/component")
        == component
        for rule in policy["spec"]["ingress"]
        if port in {one["port"] for one in rule["ports"]}
    ]
    (rule,) = reaching
    assert rule["ports"] == [{"protocol": "TCP", "port": port}]
    (source,) = rule["from"]
    assert source == {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "monitoring"}}}
