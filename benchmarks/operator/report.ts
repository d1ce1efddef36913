import { baseline, figuresTable, type RoundResult } from '../figures-table.ts'
import { commitNow, machineText } from '../machine.ts'
import type { BuiltProgram } from './programs.ts'

interface ReportOptions {
  readonly programs: readonly BuiltProgram[]
  readonly objects: number
  readonly samples: number
  readonly cacheObjects: number
  readonly rounds: number
  readonly versions: { readonly kubernetes: string; readonly node: string }
}

const programNotes: Readonly<Record<string, string>> = {
  setpoint: 'Setpoint is bundled and minified.',
  'controller-runtime': 'controller-runtime speaks protobuf and has no rate limit.',
  'client-node':
    'client-node is a loop written by hand\non its informers, with one agent that keeps connections.',
}

/** The whole page: two tables of medians, and the conditions of the measurement. */
export function report(results: readonly RoundResult[], options: ReportOptions): string {
  const { programs, objects, samples, cacheObjects, rounds, versions } = options
  const isCache = (what: string): boolean => what.startsWith('cache:')
  const names = programs.map(({ name }) => name)
  const operatorTable = figuresTable(results, names, (what) => !isCache(what))
  const cacheTable = figuresTable(results, names, isCache)
  const commit = commitNow()
  const built = programs.map(({ name, version }) => `${name} ${version}`).join(', ')
  const notes = programs.flatMap(({ name }) => programNotes[name] ?? [])
  const day = new Date().toISOString().slice(0, 10)
  const parts = [
    '# The same operator in other frameworks',
    `The same operator in each framework: a Deployment, a Service and a status for every Application, 16 objects in
parallel, no writes without a difference. ${notes.join(' ')}`,
    `Each runs against its own control plane (kube-apiserver and etcd, etcd without fsync, no controllers), one after the
other in one run. Requests are those in the audit log of the API server, times are those of a watch of the harness,
processor and memory are from \`/proc\`. Machines are noisy: the ratios to ${baseline}, in parentheses, count; below
1 is less than ${baseline} needs.`,
    ...(operatorTable === ''
      ? []
      : [
          `## ${objects} Applications`,
          operatorTable,
          `latency: ${samples} changes of one spec, one at a time, from the answer to the change. burst: all are changed
together. drift: half as many Services changed and Deployments deleted by another client. CPU is that of the operator unless
noted, until it is idle again; that of other programs is noise.`,
        ]),
    ...(cacheTable === ''
      ? []
      : [
          `## A cache of ${cacheObjects} ConfigMaps`,
          cacheTable,
          `About 3 KB each, all complete and readable by key, in the cache that each framework's operators read.`,
        ]),
    `Measured by \`npm run bench:operator\` on ${day} at commit ${commit} on ${machineText()},
Node ${versions.node}, Kubernetes ${versions.kubernetes}; ${built}. Medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds'}.`,
  ]
  return `${parts.join('\n\n')}\n`
}
