import { figuresTable, type RoundResult } from '../figures-table.ts'
import { commitNow, machineText } from '../machine.ts'

interface ReportOptions {
  readonly programs: readonly { readonly name: string; readonly version: string }[]
  readonly reviews: number
  readonly workers: number
  readonly reviewsPerWorker: number
  readonly rounds: number
  readonly node: string
  /** The size of the review. */
  readonly bytes: number
  /** The load average of the machine before the measurement: the work of other programs. */
  readonly otherLoad: number
}

/** The whole page: a table of medians, and the conditions of the measurement. */
export function webhookReport(results: readonly RoundResult[], options: ReportOptions): string {
  const { programs, reviews, workers, reviewsPerWorker, rounds, node, bytes, otherLoad } = options
  const names = programs.map(({ name }) => name)
  const built = programs.map(({ name, version }) => `${name} ${version}`).join(', ')
  const day = new Date().toISOString().slice(0, 10)
  const parts = [
    '# A validating webhook compared with controller-runtime',
    `Both servers review the update of an object with the same rule: a limit, and a comparison with the old object. The
review has ${bytes} bytes. Setpoint is bundled and minified. controller-runtime is its webhook server alone, without a
manager. Both have the same certificate.`,
    `The client is a Go program with the transport of an API server: client-go's, HTTP/1.1 over TLS, kept connections. An
API server does not use HTTP/2 for webhooks with a Service, whatever the server offers. Machines are noisy: the ratios to
controller-runtime, in parentheses, count.`,
    figuresTable(results, names),
    `one at a time: ${reviews} reviews on one connection. at the same time: ${workers} workers with ${reviewsPerWorker}
reviews each; nearly all of their connections are new, because the transport keeps only 25 idle ones. An error is anything but the expected
decision within 10 s; all rounds are counted. Times are those of reviews without an error. Client and server share the cores.`,
    `Measured by \`npm run bench:webhooks\` on ${day} at commit ${commitNow()} on ${machineText()}, Node ${node}; ${built}.
Medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds'}, in turns.
The load average of the machine before the measurement, by other programs, was ${otherLoad.toFixed(1)}.`,
  ]
  return `${parts.join('\n\n')}\n`
}
