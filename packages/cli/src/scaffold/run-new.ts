import { basename, isAbsolute, join, relative } from 'node:path'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  type ExitCode,
  exitCodes,
} from '../command/index.ts'
import { runAttached } from '../system/index.ts'
import { checkProjectName, type ResourceNames, resourceNames } from './names.ts'
import { packagesIn } from './packages-in.ts'
import { projectFiles, releasedPackages } from './project-files.ts'

/** `setpoint new`, and `npm create setpoint`: writes a project to a new folder. */
export async function runNew(context: CommandContext, input: CommandInput): Promise<ExitCode> {
  const { host, terminal, folder } = context
  const ask = questions(context, input)
  const given = input.arguments[0] ?? (await ask('Name of the project?', 'my-operator'))
  const target = (isAbsolute(given) ? join(given) : join(folder, given)).replace(/\/$/, '')
  checkProjectName(basename(target))
  await checkIsFree(context, target)
  const resource = await resourceOf(input, ask)
  const from = input.value('packages')
  const packages = from === undefined ? releasedPackages : await packagesIn(context, from)
  const files = projectFiles(basename(target), resource, packages)
  for (const [path, text] of Object.entries(files)) {
    await host.makeDirectory(join(target, path, '..'))
    await host.writeFile(join(target, path), text)
  }
  terminal.print(
    `${terminal.style.green('created')} ${given}: ${Object.keys(files).sort().join(', ')}`,
  )
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

type Ask = (question: string, preset: string) => Promise<string>

/** Asks on a terminal without `--yes`; else returns the default. */
function questions({ terminal }: CommandContext, input: CommandInput): Ask {
  const isAsking = terminal.isInteractive && !input.has('yes')
  return async (question, preset) => (isAsking ? terminal.ask(question, preset) : preset)
}

async function resourceOf(input: CommandInput, ask: Ask): Promise<ResourceNames> {
  const kind = input.value('kind') ?? (await ask('Kind of the resource?', 'Website'))
  const group =
    input.value('group') ?? (await ask('API group, a domain that you own?', 'example.com'))
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
