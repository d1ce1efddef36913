import * as z from 'zod'
import { defineResource } from 'setpoint'
import { Secret, StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createIfMissing, createOrUpdate } from '../support/create-or-update.ts'
import { childMetadata, memberSet } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'
import type { StoredObject } from '../support/stored-object.ts'

const PerconaXtraDBCluster = defineResource({
  group: 'pxc.example.com',
  version: 'v1',
  kind: 'PerconaXtraDBCluster',
  spec: z.object({ size: z.int32().min(0).default(3) }),
  conditions: ['Ready'],
})

/** Ensures the certificates of a cluster: that for clients, and that between the members. */
type EnsureCertificates = (tools: Tools, certificates: readonly Certificate[]) => Promise<void>
type Certificate = ReturnType<typeof certificate>

/** The existence of the first certificate stands for both. */
const onlyIfFirstIsMissing: EnsureCertificates = async (tools, [external, internal]) => {
  if (external === undefined || internal === undefined) return
  if (tools.cache.get(Secret, external.metadata) !== undefined) return
  await tools.client.create(Secret, external)
  await tools.client.create(Secret, internal)
}

/** The fix: each certificate is checked by itself. */
const each: EnsureCertificates = async (tools, certificates) => {
  for (const one of certificates) await createIfMissing(tools, Secret, one)
}

/** The operator of M01. */
export const operatorWith = (ensureCertificates: EnsureCertificates) => (process: ProcessContext) =>
  startController({
    ...process,
    for: PerconaXtraDBCluster,
    owns: [Secret, StatefulSet],
    reconcile: async (key, tools) => {
      const cluster = await tools.client.find(PerconaXtraDBCluster, key)
      if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return
      const { name } = cluster.metadata
      await ensureCertificates(tools, [
        certificate(cluster, `${name}-ssl`, process.host.uuid()),
        certificate(cluster, `${name}-ssl-internal`, process.host.uuid()),
      ])
      const set = await createOrUpdate(
        tools,
        StatefulSet,
        memberSet(PerconaXtraDBCluster, cluster, {
          replicas: cluster.spec.size,
          podSpec: {
            volumes: [
              { name: 'ssl', secret: { secretName: `${name}-ssl` } },
              // Without it the members talk to each other in plain text.
              {
                name: 'ssl-internal',
                secret: { secretName: `${name}-ssl-internal`, optional: true },
              },
            ],
          },
        }),
      )
      await setStatus(tools, PerconaXtraDBCluster, { object: cluster, ...verdictOfSet(set) })
    },
  })

function certificate(cluster: StoredObject, name: string, key: string) {
  return {
    metadata: childMetadata(PerconaXtraDBCluster, cluster, name),
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': btoa(`certificate of ${name}`), 'tls.key': btoa(key) },
  }
}

export const firstOfTwoGuard: Model = {
  id: 'M01',
  from: 'PXC-896, PSMDB-578',
  summary: 'Two TLS secrets are created only if the first one is missing.',
  resource: PerconaXtraDBCluster,
  sample: { metadata: { name: 'oak' }, spec: { size: 3 } },
  program: operatorWith(onlyIfFirstIsMissing),
  twin: operatorWith(each),
  mustFire: ['O2'],
}
