import { basename, isAbsolute, join, relative } from 'node:path'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  type ExitCode,
  exitCodes,
} from '../command/index.ts'
import { exportConditions, runAttached } from '../system/index.ts'
import {
  checkGroup,
  checkKind,
  checkProjectName,
  type ResourceNames,
  resourceNames,
} from './names.ts'
import type { ChartSource } from './from-chart/project-from-chart.ts'
import { packagesIn } from './packages-in.ts'
import { projectFiles, releasedPackages } from './project-files.ts'

/** `setpoint new`, and `npm create setpoint`: writes a project to a new folder. */
export async function runNew(context: CommandContext, input: CommandInput): Promise<ExitCode> {
  const { host, terminal, folder } = context
  const ask = questions(context, input)
  const given = await ask(input.arguments[0], {
    text: 'Name of the project?',
    preset: 'my-operator',
    check: async (answer) => {
      checkProjectName(basename(pathOf(context, answer)))
      await checkIsFree(context, pathOf(context, answer))
    },
  })
  const target = pathOf(context, given)
  const chart = await chartIn(context, input)
  const resource = await resourceOf(input, ask, chart?.kind)
  const from = input.value('packages')
  if (from === undefined)
    checkIsReleased(context, { given, isInstalling: !input.has('no-install') })
  const packages = from === undefined ? releasedPackages : await packagesIn(context, from)
  const made = chart?.projectOf(basename(target), resource)
  const files = projectFiles(basename(target), { resource, packages, chart: made })
  for (const [path, text] of Object.entries(files)) {
    await host.makeDirectory(join(target, path, '..'))
    await host.writeFile(join(target, path), text)
  }
  for (const [path, content] of made?.copies ?? []) {
    await host.makeDirectory(join(target, path, '..'))
    await host.writeFile(join(target, path), content)
  }
  for (const [path, tarball] of packages.tarballs) {
    await host.makeDirectory(join(target, path, '..'))
    await host.writeFile(join(target, path), await host.readFile(tarball))
  }
  const copied = made === undefined ? [] : ['src/chart/']
  const written = [...Object.keys(files), ...copied, ...packages.tarballs.keys()].sort()
  terminal.print(`${terminal.style.green('created')} ${given}: ${written.join(', ')}`)
  for (const note of made?.notes ?? []) {
    terminal.print(`${terminal.style.yellow('note:')} ${note}`)
  }
  const manager = managerOf(context)
  const isInstalled =
    !input.has('no-install') && (await installPackages(context, { manager, target }))
  const steps = [
    ...(target === folder ? [] : [`cd ${relative(folder, target)}`]),
    ...(isInstalled ? [] : [`${manager} install`]),
    `${manager} run dev`,
  ]
  terminal.print(`\nNext:\n${steps.map((step) => `  ${step}`).join('\n')}`)
  return isInstalled || input.has('no-install') ? exitCodes.ok : exitCodes.failed
}

function pathOf({ folder }: CommandContext, given: string): string {
  return (isAbsolute(given) ? join(given) : join(folder, given)).replace(/\/$/, '')
}

interface Question {
  readonly text: string
  readonly preset: string
  /** Throws when an answer is wrong. */
  readonly check: (answer: string) => void | Promise<void>
}

/** The given value, or the answer to the question. */
type Ask = (given: string | undefined, question: Question) => Promise<string>

/**
 * Asks on a terminal without `--yes`, again after a wrong answer; else the default is the answer. A
 * wrong value of the command line is an error.
 */
function questions({ terminal }: CommandContext, input: CommandInput): Ask {
  const isAsking = terminal.isInteractive && !input.has('yes')
  return async (given, { text, preset, check }) => {
    if (given !== undefined || !isAsking) {
      const value = given ?? preset
      await check(value)
      return value
    }
    for (;;) {
      const answer = await terminal.ask(text, preset)
      try {
        await check(answer)
        return answer
      } catch (error) {
        if (!(error instanceof CommandError)) throw error
        const hint = error.hint === undefined ? '' : `; ${error.hint}`
        terminal.printProgress(`${terminal.style.yellow('try again:')} ${error.message}${hint}`)
      }
    }
  }
}

/** The chart of `--from-chart`, whose code is loaded only for it. */
async function chartIn(
  context: CommandContext,
  input: CommandInput,
): Promise<ChartSource | undefined> {
  const given = input.value('from-chart')
  if (given === undefined) return undefined
  const { projectFromChart } = await import('./from-chart/project-from-chart.ts')
  return projectFromChart(context, pathOf(context, given))
}

async function resourceOf(
  input: CommandInput,
  ask: Ask,
  presetKind = 'Website',
): Promise<ResourceNames> {
  const kind = await ask(input.value('kind'), {
    text: 'Kind of the resource?',
    preset: presetKind,
    check: checkKind,
  })
  const group = await ask(input.value('group'), {
    text: 'API group, a domain that you own?',
    preset: 'example.com',
    check: checkGroup,
  })
  return resourceNames({ kind, group, version: input.value('api-version') ?? 'v1alpha1' })
}

async function checkIsFree({ host }: CommandContext, target: string): Promise<void> {
  const info = await host.fileInfo(target)
  if (info === undefined) return
  const names = info.isDirectory ? await host.listDirectory(target) : [basename(target)]
  const existing = names.filter((name) => name !== '.git')
  if (existing.length === 0) return
  throw new CommandError(`${target} is not empty: it has ${existing.slice(0, 5).join(', ')}`, {
    hint: 'nothing was written; use a folder that does not exist',
  })
}

/** A clone of Setpoint runs from its sources, and npm does not find its packages. */
function checkIsReleased(
  { terminal }: CommandContext,
  { given, isInstalling }: { readonly given: string; readonly isInstalling: boolean },
): void {
  if (!exportConditions().includes('@setpoint/source')) return
  const what = 'this is a clone of Setpoint, and its packages are not published'
  const hint = `npm run try -- ${given} creates the project with the packages of this clone`
  if (isInstalling) throw new CommandError(what, { hint: `nothing was written; ${hint}` })
  terminal.printProgress(`${terminal.style.yellow('warning:')} ${what}; ${hint}`)
}

/** The package manager that started this process. */
function managerOf({ host }: CommandContext): string {
  const agent = host.env('npm_config_user_agent') ?? ''
  return /^(npm|pnpm|yarn|bun)\//.exec(agent)?.[1] ?? 'npm'
}

async function installPackages(
  { host, terminal }: CommandContext,
  { manager, target }: { readonly manager: string; readonly target: string },
): Promise<boolean> {
  terminal.printProgress(`installing packages with ${manager} ...`)
  const program = host.env('OS') === 'Windows_NT' ? `${manager}.cmd` : manager
  const code = await runAttached(program, ['install'], { folder: target })
  if (code !== 0)
    terminal.printProgress(
      `${manager} install failed with exit code ${code}; the files were written; run it again`,
    )
  return code === 0
}
