import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { Secret } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import { childMetadata, keyOf } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus } from '../support/status.ts'
import { isOwnedBy } from '../support/stored-object.ts'
import type { NoAlarm } from './no-alarm.ts'

const Credential = defineResource({
  group: 'credentials.example.com',
  version: 'v1',
  kind: 'Credential',
  spec: z.object({
    user: z.string().min(1).default('app'),
    rotationMinutes: z.int32().min(30).default(60),
  }),
  conditions: ['Ready'],
})
type Credential = InferResource<typeof Credential>

const rotatedAnnotation = 'credentials.example.com/rotated-at'
const minuteMs = 60_000

const program = (process: ProcessContext) =>
  startController({
    ...process,
    for: Credential,
    owns: [Secret],
    reconcile: async (key, tools) => {
      const credential = await tools.client.find(Credential, key)
      if (credential === undefined) return {}
      if (credential.metadata.deletionTimestamp !== undefined) return {}
      const dueMs = await ensureSecret(tools, credential)
      const verdict = { isReady: true, reason: 'Current', message: 'the password is current' }
      await setStatus(tools, Credential, { object: credential, ...verdict })
      return { requeueAfterMs: dueMs - process.host.now() }
    },
  })

/** Keeps the secret; returns when its password must be changed. */
async function ensureSecret({ client, host }: Tools, credential: Credential): Promise<number> {
  const { user, rotationMinutes } = credential.spec
  const place = keyOf(credential, `${credential.metadata.name}-password`)
  const secret = await client.find(Secret, place)
  if (secret !== undefined && !isOwnedBy(secret, credential)) {
    throw new Error(`the secret ${place.name} belongs to another owner`)
  }
  const rotatedMs = Date.parse(secret?.metadata.annotations?.[rotatedAnnotation] ?? '')
  const dueMs = rotatedMs + rotationMinutes * minuteMs
  const data = { user: btoa(user), password: btoa(host.uuid()) }
  const annotations = { [rotatedAnnotation]: new Date(host.now()).toISOString() }
  const nextMs = host.now() + rotationMinutes * minuteMs
  if (secret === undefined) {
    const metadata = { ...childMetadata(Credential, credential, place.name), annotations }
    await client.create(Secret, { metadata, data })
    return nextMs
  }
  if (dueMs <= host.now()) {
    await client.replace(Secret, { ...secret, metadata: { ...secret.metadata, annotations }, data })
    return nextMs
  }
  if (secret.data?.['user'] !== data.user) {
    await client.replace(Secret, { ...secret, data: { ...secret.data, user: data.user } })
  }
  return dueMs
}

export const secretRotation: NoAlarm = {
  id: 'N02',
  summary: 'A password is changed each hour, although no user changed the object.',
  resource: Credential,
  sample: { metadata: { name: 'oak' }, spec: { user: 'app', rotationMinutes: 60 } },
  program,
  declares: { rotates: 'the data and the annotation rotated-at of the Secret, by time' },
}
