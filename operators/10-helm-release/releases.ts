import { gunzipSync, gzipSync } from 'node:zlib'
import type { Client } from 'setpoint/client'
import { Secret } from 'setpoint/kinds'

/** The labels of our releases, which helm puts on the Secret of each revision. */
export const ownerLabel = 'helm.example.com/owner'
export const digestLabel = 'helm.example.com/digest'

/** One revision of a release, as its Secret has it. */
export interface Revision {
  readonly revision: number
  readonly status: string
  /** The uid of the HelmRelease that made it; a release of a person has none. */
  readonly owner?: string | undefined
  /** The digest of its chart and values. */
  readonly digest?: string | undefined
  readonly lastDeployedMs: number
  readonly tests: 'none' | 'due' | 'failed' | 'succeeded'
  readonly chart: { readonly name: string; readonly version: string; readonly appVersion?: string }
  readonly info: { readonly first_deployed?: string; readonly last_deployed?: string }
  readonly manifest: string
}

/** Where the revisions of a release are stored. */
export interface ReleasePlace {
  readonly name: string
  readonly namespace: string
}

/** The part of helm's record that we read. */
interface ReleaseRecord {
  readonly version: number
  readonly info: {
    readonly status: string
    readonly description?: string
    readonly first_deployed?: string
    readonly last_deployed?: string
  }
  readonly manifest?: string
  readonly chart?: { readonly metadata?: Revision['chart'] }
  readonly hooks?: readonly {
    readonly events?: readonly string[]
    readonly last_run?: { readonly phase?: string }
  }[]
}

/** The revisions of a release, newest first. */
export async function revisionsOf(
  client: Client,
  { name, namespace }: ReleasePlace,
  signal: AbortSignal,
): Promise<Revision[]> {
  const labelSelector = { owner: 'helm', name }
  const secrets = await client.listAll(Secret, { namespace, labelSelector, signal })
  return secrets.map(revisionIn).sort((a, b) => b.revision - a.revision)
}

/**
 * Marks a revision as failed whose helm does not run any more: otherwise helm refuses every
 * operation. If helm has finished meanwhile, the Secret has changed, and the write is refused.
 */
export async function unlock(
  client: Client,
  { name, namespace }: ReleasePlace,
  { revision, signal }: { readonly revision: number; readonly signal: AbortSignal },
): Promise<void> {
  const key = { name: `sh.helm.release.v1.${name}.v${revision}`, namespace }
  const secret = await client.get(Secret, key, { signal })
  const record = recordIn(secret)
  if (!record.info.status.startsWith('pending-')) return
  const description = `${record.info.status} was interrupted`
  const failed = { ...record, info: { ...record.info, status: 'failed', description } }
  const release = gzipSync(JSON.stringify(failed)).toString('base64')
  const { metadata } = secret
  await client.replace(
    Secret,
    {
      ...secret,
      metadata: { ...metadata, labels: { ...metadata.labels, status: 'failed' } },
      data: { release: Buffer.from(release).toString('base64') },
    },
    { signal },
  )
}

function recordIn({ data }: Secret): ReleaseRecord {
  const text = Buffer.from(data?.['release'] ?? '', 'base64').toString()
  return JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString()) as ReleaseRecord
}

function revisionIn(secret: Secret): Revision {
  const { version, info, manifest = '', chart, hooks = [] } = recordIn(secret)
  const { labels = {} } = secret.metadata
  const phases = hooks
    .filter(({ events = [] }) => events.includes('test'))
    .map(({ last_run }) => last_run?.phase)
  return {
    revision: version,
    status: info.status,
    owner: labels[ownerLabel],
    digest: labels[digestLabel],
    lastDeployedMs: Date.parse(info.last_deployed ?? '') || 0,
    tests: testsOf(phases),
    chart: chart?.metadata ?? { name: '', version: '' },
    info,
    manifest,
  }
}

function testsOf(phases: readonly (string | undefined)[]): Revision['tests'] {
  if (phases.length === 0) return 'none'
  if (phases.includes('Failed')) return 'failed'
  return phases.every((phase) => phase === 'Succeeded') ? 'succeeded' : 'due'
}
