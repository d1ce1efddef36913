import { gunzipSync, gzipSync } from 'node:zlib'
import * as z from 'zod'
import type { Client } from 'setpoint/client'
import { Secret } from 'setpoint/kinds'
import { isDigestOf } from './digest.ts'

/** The labels of our releases, which helm puts on the Secret of each revision. */
export const ownerLabel = 'helm.example.com/owner'
export const digestLabel = 'helm.example.com/digest'

/** The part of helm's record that we read. */
const record = z.looseObject({
  version: z.int(),
  info: z.looseObject({
    status: z.string(),
    first_deployed: z.string().optional(),
    last_deployed: z.string().optional(),
  }),
  manifest: z.string().default(''),
  config: z.record(z.string(), z.unknown()).nullish(),
  chart: z.looseObject({
    metadata: z.looseObject({
      name: z.string(),
      version: z.string(),
      appVersion: z.string().optional(),
    }),
  }),
  hooks: z
    .array(
      z.looseObject({
        name: z.string(),
        events: z.array(z.string()).nullish(),
        last_run: z.looseObject({ phase: z.string().optional() }).optional(),
      }),
    )
    .nullish(),
})

type ReleaseRecord = z.infer<typeof record>

/** One revision of a release, as its Secret has it. */
export interface Revision {
  readonly revision: number
  readonly status: string
  /** The uid of the HelmRelease that made it; a release of a person has none. */
  readonly owner: string | undefined
  /** The digest of its chart and values, unless a person has changed them. */
  readonly digest: string | undefined
  readonly lastDeployedMs: number
  readonly tests: 'none' | 'due' | 'failed' | 'succeeded'
  /** The phases of the test hooks that were run, by name. */
  readonly testHooks: Readonly<Record<string, { readonly phase: string }>>
  readonly chart: ReleaseRecord['chart']['metadata']
  readonly info: ReleaseRecord['info']
  readonly manifest: string
}

/** Where the revisions of a release are stored. */
export interface ReleasePlace {
  readonly name: string
  readonly namespace: string
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
  const found = recordIn(secret)
  const { status } = found.info
  if (!status.startsWith('pending-')) return
  const info = { ...found.info, status: 'failed', description: `${status} was interrupted` }
  const release = gzipSync(JSON.stringify({ ...found, info })).toString('base64')
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
  return record.parse(JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString()))
}

function revisionIn(secret: Secret): Revision {
  const { version, info, manifest, config, chart, hooks } = recordIn(secret)
  const { labels = {} } = secret.metadata
  const digest = labels[digestLabel] ?? ''
  const isOurs = isDigestOf(digest, chart.metadata, config ?? {})
  const tests = (hooks ?? []).filter(({ events }) => events?.includes('test') === true)
  const phases = tests.map(({ last_run }) => last_run?.phase ?? '')
  const run = tests.flatMap(({ name, last_run: { phase = '' } = {} }) =>
    phase === '' ? [] : [[name, { phase }] as const],
  )
  return {
    revision: version,
    status: info.status,
    owner: labels[ownerLabel],
    digest: isOurs ? digest : undefined,
    lastDeployedMs: Date.parse(info.last_deployed ?? '') || 0,
    tests: testsOf(phases),
    testHooks: Object.fromEntries(run),
    chart: chart.metadata,
    info,
    manifest,
  }
}

function testsOf(phases: readonly string[]): Revision['tests'] {
  if (phases.length === 0) return 'none'
  if (phases.includes('Failed')) return 'failed'
  return phases.every((phase) => phase === 'Succeeded') ? 'succeeded' : 'due'
}
