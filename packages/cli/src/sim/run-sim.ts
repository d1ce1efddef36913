import { isAbsolute, join, relative } from 'node:path'
import { type Progress, reportText, type Tier, tierBudgets } from '@setpoint/sim'
import type { AnyResourceDefinition } from 'setpoint'
import { durationMs } from 'setpoint/host'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  counted,
  type ExitCode,
  exitCodes,
} from '../command/index.ts'
import { loadOperators } from '../project/index.ts'
import { readSamples } from './read-samples.ts'
import { replay } from './replay.ts'
import { type ResourceReport, simulateProject } from './simulate-project.ts'
import { simulatedProgram } from './simulated-program.ts'
import { simulatedResources, titleOf } from './simulated-resources.ts'
import { type FindingFiles, writeFindings } from './write-findings.ts'

/** `setpoint sim`: simulates the resources of a project, and writes its findings as files. */
export async function runSim(context: CommandContext, input: CommandInput): Promise<ExitCode> {
  const { host, terminal, folder } = context
  const named = input.value('replay')
  const { tier, budgetMs, seed } = checkedOptions(input)
  if (named !== undefined) return replay(context, input, named)
  const { operators, project, file } = await loadOperators(context, input.arguments[0])
  const place = { folder: project.folder, file, named: input.value('samples') }
  const samples = await readSamples(context, place)
  const choice = simulatedResources(operators, samples, input.value('resource'))
  const { resources, withoutSample } = choice
  const { program, whyNotFresh } = await simulatedProgram(file, operators)
  if (whyNotFresh !== undefined) terminal.printProgress(whyNotFresh)
  const reports = await simulateProject(host, {
    program,
    resources,
    settings: project.settings.sim,
    tier,
    budgetMs,
    seed,
    ...progressOf(context),
  })
  const out = input.value('out') ?? join(project.folder, 'findings')
  const files = await writeFindings(
    host,
    reports.flatMap(({ report }) => report.findings),
    {
      folder: isAbsolute(out) ? out : join(folder, out),
      operators: file,
      isFresh: whyNotFresh === undefined,
    },
  )
  if (input.has('json')) terminal.print(jsonOf(reports, files, folder))
  else {
    for (const line of reportLines(reports)) terminal.print(line)
    for (const line of fileLines(files, folder)) terminal.print(line)
  }
  for (const one of withoutSample) {
    terminal.printProgress(`${titleOf(one)} was not simulated: it has no sample`)
  }
  return files.length > 0 ? exitCodes.failed : exitCodes.ok
}

interface SimSettings {
  readonly tier: Tier
  readonly budgetMs: number
  readonly seed: number
}

/** Refuses options that would have no effect, and values that cannot be used. */
function checkedOptions(input: CommandInput): SimSettings {
  const own = ['samples', 'resource', 'tier', 'budget', 'seed', 'out']
  const useless = own.find((name) => input.value(name) !== undefined)
  if (input.value('replay') !== undefined && useless !== undefined) {
    throw new CommandError(`--replay and --${useless} cannot be used together`, {
      exitCode: exitCodes.usage,
      hint: `omit --${useless}: the file says what is repeated`,
    })
  }
  const seed = input.value('seed') ?? '1'
  if (!/^\d{1,9}$/.test(seed)) {
    throw new CommandError(`--seed is ${seed}, which is not a number`, {
      exitCode: exitCodes.usage,
    })
  }
  // The parser allows no other values.
  const tier = (input.value('tier') ?? 'ci') as Tier
  const budget = input.value('budget')
  return {
    tier,
    seed: Number(seed),
    budgetMs: budgetOf(budget) ?? durationMs(tierBudgets[tier], 'budget'),
  }
}

function budgetOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [, amount, unit] = /^(\d{1,6})(s|m|h)$/.exec(text) ?? []
  const ms = Number(amount) * { s: 1000, m: 60_000, h: 3_600_000 }[unit as 's' | 'm' | 'h']
  if (ms > 0) return ms
  throw new CommandError(`--budget is ${JSON.stringify(text)}, which is not a duration`, {
    exitCode: exitCodes.usage,
    hint: 'write a number and a unit: 60s, 30m, 8h',
  })
}

/** Shows every tenth of the runs, and every finding, to a person. */
function progressOf({ terminal }: CommandContext): {
  onResource(definition: AnyResourceDefinition): void
  onProgress(definition: AnyResourceDefinition, progress: Progress): void
} {
  const show = (text: string): void => {
    if (terminal.isInteractive) terminal.printProgress(terminal.style.dim(text))
  }
  let shown = ''
  return {
    onResource: (definition) => show(`${titleOf(definition)}: the workload without faults`),
    onProgress: (definition, { plans, triedPlans, findings }) => {
      const tenth = `${definition.plural} ${Math.floor((triedPlans * 10) / plans)} ${findings.length}`
      if (tenth === shown) return
      shown = tenth
      const found = counted(findings.length, 'finding')
      show(`${titleOf(definition)}: ${triedPlans} of ${plans} runs with a fault, ${found}`)
    },
  }
}

function reportLines(reports: readonly ResourceReport[]): string[] {
  return reports.flatMap(({ definition, report }, index) => [
    ...(index === 0 ? [] : ['']),
    ...(reports.length === 1 ? [] : [titleOf(definition)]),
    reportText(report),
  ])
}

/** Which files were written, and what to do with them. */
function fileLines(files: readonly FindingFiles[], folder: string): string[] {
  const [first] = files
  if (first === undefined) return []
  return [
    '',
    ...files.flatMap(({ plan, test }) =>
      [plan, test].map((path) => `wrote ${shownPath(folder, path)}`),
    ),
    `setpoint sim --replay ${shownPath(folder, first.plan)} shows what happened; the tests fail until it is fixed`,
  ]
}

function jsonOf(
  reports: readonly ResourceReport[],
  files: readonly FindingFiles[],
  folder: string,
): string {
  const resources = reports.map(({ definition, report }) => ({
    resource: `${definition.plural}.${definition.group}`,
    seed: report.seed,
    coverage: report.coverage,
    notes: report.notes,
    findings: report.findings.map((finding) => {
      const { oracle, problem, details, story } = finding
      const own = files.find((one) => one.finding === finding)
      const paths = own && {
        plan: shownPath(folder, own.plan),
        test: shownPath(folder, own.test),
      }
      return { oracle, problem, details, story, ...paths }
    }),
  }))
  return JSON.stringify({ resources }, undefined, 2)
}

/** A path for people: relative, unless that leads out of the current folder. */
function shownPath(folder: string, path: string): string {
  const short = relative(folder, path)
  return short.startsWith('..') ? path : short
}
