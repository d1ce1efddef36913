import { expect, test } from 'vitest'
import * as cluster from '@setpoint/cluster'
import * as clusterYaml from '@setpoint/cluster/yaml'
import * as setpoint from 'setpoint'
import * as client from 'setpoint/client'
import * as host from 'setpoint/host'
import * as schema from 'setpoint/schema'
import * as testing from 'setpoint/testing'

// An addition to the public API changes this list in the same commit.
test('the packages export exactly these values', () => {
  expect({
    '@setpoint/cluster': Object.keys(cluster),
    '@setpoint/cluster/yaml': Object.keys(clusterYaml),
    setpoint: Object.keys(setpoint),
    'setpoint/client': Object.keys(client),
    'setpoint/host': Object.keys(host),
    'setpoint/schema': Object.keys(schema),
    'setpoint/testing': Object.keys(testing),
  }).toMatchInlineSnapshot(`
    {
      "@setpoint/cluster": [
        "createCluster",
        "testWorld",
      ],
      "@setpoint/cluster/yaml": [
        "encodeYaml",
        "parseYaml",
      ],
      "setpoint": [
        "atomic",
        "defineResource",
        "duration",
        "embeddedResource",
        "immutable",
        "intOrString",
        "listMap",
        "listSet",
        "maxProperties",
        "minProperties",
        "preserveUnknownFields",
        "quantity",
        "rule",
        "errorCodes",
        "isSetpointError",
        "SetpointError",
        "GiveUpError",
        "RetryLaterError",
        "absent",
        "cronSchedule",
        "present",
        "template",
        "zoneOffset",
        "operator",
        "Operator",
        "rbacFor",
        "rolloutOn",
        "when",
        "LiveNamespaces",
        "MetricsRegistry",
        "checkConversion",
        "crdDifferences",
        "leaseName",
        "run",
        "start",
      ],
      "setpoint/client": [
        "ApiError",
        "isApiError",
        "Client",
        "fixedCredentials",
        "connectionFromKubeconfig",
        "loadConnection",
        "openWatch",
        "watchEventFrom",
        "splitLines",
        "Transport",
      ],
      "setpoint/host": [
        "durationMs",
        "limitMs",
        "joinBytes",
        "readBytes",
        "readText",
        "onAbort",
        "nodeHost",
        "nodeJournalFiles",
        "nodeSockets",
        "seededRandom",
        "virtualHost",
      ],
      "setpoint/schema": [
        "applyDefaults",
        "checkCrd",
        "checkStructuralSchema",
        "fieldError",
        "nilField",
        "goJson",
        "goNumber",
        "goQuote",
        "toGoRegExp",
        "evaluateJsonPath",
        "parseJsonPath",
        "isJsonObject",
        "jsonEquals",
        "nameProblems",
        "pruneUnknown",
        "resolveSchemaPath",
        "validateValue",
        "withMeter",
      ],
      "setpoint/testing": [
        "assertRoundTrip",
        "sampleValue",
      ],
    }
  `)
})
