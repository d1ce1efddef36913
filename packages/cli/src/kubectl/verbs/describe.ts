import { Event } from 'setpoint/kinds'
import type { ApiObject } from '../api-resources.ts'
import { alignedLines, describedObject, type DescribedLine } from '../print/described-object.ts'
import { ageText } from '../go-duration.ts'
import type { FlagDeclarations } from '../kubectl-flags.ts'
import { KubectlProblem } from '../kubectl-problem.ts'
import type { KubectlSession } from '../kubectl-session.ts'
import { manifestFlags, readManifests } from '../manifest-files.ts'
import { readTargets } from '../targets.ts'
import { readObjects } from './get.ts'

/** The flags of `describe`. */
export const describeFlags: FlagDeclarations = {
  ...manifestFlags,
  'all-namespaces': { form: 'yes', short: 'A' },
  selector: { form: 'text', short: 'l' },
  'show-events': { form: 'yes' },
}

/** `kubectl describe`: prints all fields of objects, and their Events. */
export async function describe(session: KubectlSession): Promise<void> {
  const { line } = session
  const isByFile = line.list('filename').length > 0
  if (!isByFile && line.words.length === 0) {
    throw new KubectlProblem(
      'You must specify the type of resource to describe. Use "kubectl api-resources" for a complete list of supported resources.',
    )
  }
  const targets = isByFile
    ? (await readManifests(session)).map(({ resource, object }) => {
        return { resource, names: [object.metadata.name] }
      })
    : await readTargets(session, line.words)
  const objects = await readObjects(session, targets)
  for (const [index, { object }] of objects.entries()) {
    if (index > 0) session.print('\n')
    const events = line.isOn('show-events', true) ? await eventLines(session, object) : []
    for (const text of alignedLines([...describedObject(object), ...events])) session.print(text)
  }
  if (objects.length === 0 && session.exitCode === 0) {
    session.terminal.printProgress(`No resources found in ${session.namespace} namespace.`)
  }
}

interface FoundEvent {
  readonly type?: string
  readonly reason?: string
  readonly message?: string
  readonly count?: number
  readonly firstTimestamp?: string | null
  readonly lastTimestamp?: string | null
  readonly eventTime?: string | null
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string | null }
  readonly source?: { readonly component?: string }
  readonly reportingComponent?: string
}

async function eventLines(
  { client, host }: KubectlSession,
  { kind, metadata }: ApiObject,
): Promise<DescribedLine[]> {
  const { name, namespace = '', uid = '' } = metadata
  const fields = { name, namespace, kind, uid }
  const fieldSelector = Object.entries(fields)
    .map(([field, value]) => `involvedObject.${field}=${value}`)
    .join(',')
  const options = { fieldSelector, ...(namespace === '' ? {} : { namespace }) }
  const events = (await client.listAll(Event, options)) as unknown as FoundEvent[]
  if (events.length === 0) return [['Events:', '<none>']]
  const age = (time: string | null | undefined): string =>
    typeof time === 'string' ? ageText(host.now() - Date.parse(time)) : '<unknown>'
  return [
    ['Events:'],
    ['  Type', 'Reason', 'Age', 'From', 'Message'],
    ['  ----', '------', '----', '----', '-------'],
    ...events
      .sort((a, b) => lastMs(a) - lastMs(b))
      .map((event): DescribedLine => {
        const { type = '', reason = '', message = '', source, reportingComponent = '' } = event
        const component = source?.component ?? ''
        const from = component === '' ? reportingComponent : component
        return [`  ${type}`, reason, intervalText(event, age), from, message.trim()]
      }),
  ]
}

function lastMs({ lastTimestamp, eventTime, series }: FoundEvent): number {
  return Date.parse(series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? '') || 0
}

/** `5s`, or `5s (x3 over 2m)` for a repeated Event. */
function intervalText(
  { series, count = 0, firstTimestamp, lastTimestamp, eventTime }: FoundEvent,
  age: (time: string | null | undefined) => string,
): string {
  const first = age(eventTime ?? firstTimestamp)
  if (series !== undefined)
    return `${age(series.lastObservedTime)} (x${series.count ?? 0} over ${first})`
  return count > 1 ? `${age(lastTimestamp)} (x${count} over ${first})` : first
}
