import { durationMs } from 'setpoint/host'
import { bundleFiles, bundleSource } from '../bundle/index.ts'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  counted,
  exitCodes,
  type RunCommand,
} from '../command/index.ts'
import { loadOperators } from '../project/index.ts'
import { observeExamples } from './observe-examples.ts'
import { scoredBundle } from './scored-bundle.ts'
import { type ScorecardResult, scorecardResults } from './scorecard-tests.ts'
import { testList } from './test-list.ts'

const suites = ['basic', 'olm'] as const

/** `setpoint scorecard`: the basic and OLM tests of the scorecard, on the embedded cluster. */
export const runScorecard: RunCommand = async (context, input) => {
  const wanted = suitesOf(input)
  const waitMs = durationMs(input.value('wait') ?? '30s', '--wait')
  const { project, operators } = await loadOperators(context, input.arguments[0])
  const source = await bundleSource(context, { project, operators }, {})
  const bundle = scoredBundle(bundleFiles(source))
  if (bundle.examples.length === 0) {
    throw new CommandError('the bundle has no examples: these operators define no resources', {
      hint: 'the tests of scorecard are about custom resources',
    })
  }
  const { examples } = bundle
  if (!input.has('json')) {
    const count = counted(examples.length, 'example')
    context.terminal.printProgress(`running the operators on an embedded cluster, with ${count}`)
  }
  const observed = await observeExamples(context.host, operators, { examples, waitMs })
  const results = scorecardResults(bundle, observed, wanted)
  if (input.has('json')) context.terminal.print(JSON.stringify(testList(results), undefined, 2))
  else printResults(context, results)
  return results.some(({ state }) => state === 'fail') ? exitCodes.failed : exitCodes.ok
}

function suitesOf(input: CommandInput): readonly ScorecardResult['suite'][] {
  const given = input.value('suite')
  const found = suites.filter((suite) => given === undefined || suite === given)
  if (found.length > 0) return found
  throw new CommandError(`there is no suite ${given ?? ''}`, { hint: 'use basic or olm' })
}

function printResults({ terminal }: CommandContext, results: readonly ScorecardResult[]): void {
  const { style } = terminal
  for (const { name, state, errors, suggestions } of results) {
    const mark = state === 'pass' ? style.green('pass') : style.red('fail')
    terminal.print(`${mark} ${style.bold(name)}`)
    for (const text of errors) terminal.print(`     ${text}`)
    for (const text of suggestions) terminal.print(`     ${style.dim('suggestion:')} ${text}`)
  }
  const failed = results.filter(({ state }) => state === 'fail').length
  terminal.print(`\n${results.length - failed} passed, ${failed} failed`)
}
