"""Drives the fleet service by Microsoft's own SDK, unmodified: argv = endpoint, CA file, fleet's group."""

import json
import ssl
import sys
import time
import urllib.request

from azure.core.credentials import AccessToken
from azure.core.pipeline.transport import RequestsTransport
from azure.mgmt.containerservicefleet import ContainerServiceFleetMgmtClient

endpoint, ca, subscription, group, fleet = sys.argv[1:6]


class Dummy:
    def get_token(self, *scopes, **kwargs):
        return AccessToken("dummy", int(time.time()) + 3600)

    def get_token_info(self, *scopes, **kwargs):
        from azure.core.credentials import AccessTokenInfo

        return AccessTokenInfo("dummy", int(time.time()) + 3600)


def sleep(seconds):
    """Lets the service's own time pass."""
    data = json.dumps({"ms": int(seconds * 1000)}).encode()
    request = urllib.request.Request(endpoint + "/_control/sleep", data=data, method="POST")
    context = ssl.create_default_context(cafile=ca)
    urllib.request.urlopen(request, context=context).read()


class ServiceTime(RequestsTransport):
    """The SDK's pollers wait by their transport; here by the service's own time."""

    def sleep(self, duration):
        sleep(duration)


client = ContainerServiceFleetMgmtClient(
    Dummy(),
    subscription,
    base_url=endpoint,
    credential_scopes=[endpoint + "/.default"],
    transport=ServiceTime(connection_verify=ca),
    polling_interval=1,
)
result = {}
client.fleets.begin_create_or_update(group, fleet, {"location": "eastus2euap"}).result()
names = ["mesh-001", "mesh-002"]
pollers = []
for name in names:
    cluster = (
        f"/subscriptions/{subscription}/resourcegroups/{group}"
        f"/providers/Microsoft.ContainerService/managedClusters/{name}"
    )
    body = {"properties": {"clusterResourceId": cluster, "labels": {"mesh": "true"}}}
    pollers.append(client.fleet_members.begin_create(group, fleet, name, body))
sleep(8)
result["joined"] = [poller.result().properties.provisioning_state for poller in pollers]
profiles = client.cluster_mesh_profiles
selector = {"properties": {"memberSelector": {"byLabel": "mesh=true"}}}
made = profiles.begin_create_or_update(group, fleet, "cmp1", selector).result()
result["made"] = made.properties.status.state
profiles.begin_apply(group, fleet, "cmp1").result()
result["applied"] = profiles.get(group, fleet, "cmp1").properties.status.state
sleep(160)
result["connected"] = profiles.get(group, fleet, "cmp1").properties.status.state
result["members"] = sorted(member.name for member in client.fleet_members.list_by_fleet(group, fleet))
nobody = {"properties": {"memberSelector": {"byLabel": "mesh=none"}}}
profiles.begin_create_or_update(group, fleet, "cmp1", nobody).result()
profiles.begin_apply(group, fleet, "cmp1").result()
sleep(40)
profiles.begin_delete(group, fleet, "cmp1").result()
for name in names:
    poller = client.fleet_members.begin_delete(group, fleet, name)
    sleep(11)
    poller.result()
result["left"] = [member.name for member in client.fleet_members.list_by_fleet(group, fleet)]
print(json.dumps(result))
