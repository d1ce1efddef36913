import * as z from 'zod'
import { defineResource } from 'setpoint'
import { Client } from 'setpoint/client'
import { ConfigMap, Secret, StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createIfMissing, createOrUpdate } from '../support/create-or-update.ts'
import { childMetadata, keyOf, memberSet } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'
import { ownerReference, type StoredObject } from '../support/stored-object.ts'

const PerconaServerMongoDB = defineResource({
  group: 'psmdb.example.com',
  version: 'v1',
  kind: 'PerconaServerMongoDB',
  spec: z.object({ size: z.int32().min(0).default(3) }),
  conditions: ['Ready'],
})

/** Requests both certificates of a cluster. Their secrets appear later. */
type RequestCertificates = (tools: Tools, cluster: StoredObject) => Promise<void>

const namesOf = ({ metadata: { name } }: StoredObject) => [`${name}-ssl`, `${name}-ssl-internal`]

/** The secret of the first certificate stands for both requests. */
const unlessFirstSecretExists: RequestCertificates = async (tools, cluster) => {
  const [first = '', second = ''] = namesOf(cluster)
  if (tools.cache.get(Secret, keyOf(cluster, first)) !== undefined) return
  await createIfMissing(tools, ConfigMap, request(cluster, first))
  await createIfMissing(tools, ConfigMap, request(cluster, second))
}

/** The fix: each request is checked by itself. */
export const each: RequestCertificates = async (tools, cluster) => {
  for (const name of namesOf(cluster))
    await createIfMissing(tools, ConfigMap, request(cluster, name))
}

/** The operator of M02. */
export const operatorWith =
  (requestCertificates: RequestCertificates) => async (process: ProcessContext) =>
    startController({
      ...process,
      for: PerconaServerMongoDB,
      owns: [ConfigMap, StatefulSet],
      watches: [{ kind: Secret, keysOf: ownerKeys }],
      reconcile: async (key, tools) => {
        const cluster = await tools.client.find(PerconaServerMongoDB, key)
        if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return
        await requestCertificates(tools, cluster)
        // Members begin without TLS if the certificate between them is missing.
        const secrets = namesOf(cluster).filter((name) =>
          tools.cache.get(Secret, keyOf(cluster, name)),
        )
        const manifest = memberSet(PerconaServerMongoDB, cluster, {
          replicas: cluster.spec.size,
          templateAnnotations: { 'tls-secrets': secrets.join(',') },
        })
        const set = await createOrUpdate(tools, StatefulSet, manifest)
        await setStatus(tools, PerconaServerMongoDB, { object: cluster, ...verdictOfSet(set) })
      },
    })

const forLabel = 'certificate-for'

/** A request of a certificate: what `Certificate` is to cert-manager. */
function request(cluster: StoredObject, name: string) {
  const metadata = childMetadata(PerconaServerMongoDB, cluster, name)
  const labels = { ...metadata.labels, [forLabel]: cluster.metadata.name }
  return { metadata: { ...metadata, labels }, data: { 'dns-name': name } }
}

function ownerKeys(secret: StoredObject) {
  const name = secret.metadata.labels?.[forLabel]
  return name === undefined ? [] : [keyOf(secret, name)]
}

const issueMs = 20_000
const pollMs = 5000

/** The issuer, another controller: it answers a request after a while with a secret. */
async function runIssuer({ host, connection }: ProcessContext): Promise<void> {
  const client = new Client(host, connection)
  for (;;) {
    await host.sleep(pollMs)
    try {
      const requests = await client.listAll(ConfigMap, { labelSelector: forLabel })
      const due = requests.filter(
        ({ metadata }) => Date.parse(metadata.creationTimestamp) + issueMs <= host.now(),
      )
      for (const one of due) {
        if ((await client.find(Secret, one.metadata)) !== undefined) continue
        const { name, namespace, labels = {} } = one.metadata
        const ownerReferences = [ownerReference(ConfigMap, one)]
        const data = { 'tls.key': btoa(host.uuid()), 'tls.crt': btoa(`certificate of ${name}`) }
        await client.create(Secret, {
          metadata: { name, namespace, labels, ownerReferences },
          data,
        })
      }
    } catch {
      // The next round tries again.
    }
  }
}

export const firstOfTwoCertificates: Model = {
  id: 'M02',
  from: 'PXC-897, PSMDB-579',
  summary: 'Two certificates are requested only if the secret of the first one is missing.',
  resource: PerconaServerMongoDB,
  sample: { metadata: { name: 'oak' }, spec: { size: 3 } },
  program: operatorWith(unlessFirstSecretExists),
  twin: operatorWith(each),
  mustFire: ['O2', 'O1'],
  options: { companions: [runIssuer] },
}
