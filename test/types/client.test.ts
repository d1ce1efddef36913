/** Checks the types of the client at compile time; wrong uses have `@ts-expect-error`. */
import { test } from 'vitest'
import type { Client } from 'setpoint/client'
import { ConfigMap } from 'setpoint/kinds'

test('a patch has exactly one type', () => {
  const right = (client: Client) => [
    client.patch(ConfigMap, 'a', { merge: { data: {} }, dryRun: true }),
    client.patch(ConfigMap, 'a', { json: [] }),
    client.patch(ConfigMap, 'a', { strategic: {} }),
  ]
  const wrong = (client: Client) => [
    // @ts-expect-error two types
    client.patch(ConfigMap, 'a', { merge: {}, json: [] }),
    // @ts-expect-error no type
    client.patch(ConfigMap, 'a', { dryRun: true }),
  ]
  void [right, wrong]
})
