import { accessCluster, confirmWrites } from '../access/index.ts'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  counted,
  type ExitCode,
  exitCodes,
} from '../command/index.ts'
import { migrateDefinition } from './migrate-definition.ts'
import { checkPermissions } from './migration-permissions.ts'
import { MigrationProgress } from './migration-progress.ts'
import { migrationTargets } from './migration-targets.ts'
import { type Migration, pageAt } from './rewrite-objects.ts'
import { migrationLines, type MigrationReport, migrationsJson } from './migration-report.ts'
import { readDefinition, type StoredDefinition } from './stored-definition.ts'

/** `setpoint migrate`: rewrites stored objects to the storage version of their CRD. */
export async function runMigrate(context: CommandContext, input: CommandInput): Promise<ExitCode> {
  const concurrency = concurrencyOf(input)
  const names = await migrationTargets(context, input)
  const access = await accessCluster(context, input)
  const { client } = access
  const isDryRun = input.has('dry-run')
  const found = await Promise.all(
    names.map(async (name) => ({ name, definition: await readDefinition(client, name) })),
  )
  const outdated = found.flatMap(({ definition }) =>
    definition === undefined || definition.oldVersions.length === 0 ? [] : definition,
  )
  for (const definition of outdated) await checkPermissions(client, definition, isDryRun)
  if (outdated.length > 0 && !isDryRun) {
    const these = outdated.map(({ name }) => name).join(', ')
    await confirmWrites(context, input, { access, what: `rewrite all objects of ${these}` })
  }
  const reports: MigrationReport[] = []
  const { host, signal } = context
  const migration = { client, host, signal, concurrency, pageSize }
  for (const { name, definition } of found) {
    if (signal.aborted) break
    const report = await migrated(context, input, { name, definition, migration })
    reports.push(report)
    if (!input.has('json')) for (const line of migrationLines(report)) context.terminal.print(line)
  }
  if (input.has('json')) context.terminal.print(migrationsJson(access.title, reports))
  if (signal.aborted) return exitCodes.interrupted
  const isWrong = reports.some(
    ({ state }) => state === 'failed' || (state === 'not installed' && input.arguments.length > 0),
  )
  return isWrong ? exitCodes.failed : exitCodes.ok
}

interface Target {
  readonly name: string
  readonly definition: StoredDefinition | undefined
  readonly migration: Omit<Migration, 'onProgress'>
}

async function migrated(
  context: CommandContext,
  input: CommandInput,
  { name, definition, migration }: Target,
): Promise<MigrationReport> {
  if (definition === undefined) return { name, state: 'not installed' }
  const { storage, oldVersions, position } = definition
  if (oldVersions.length === 0) return { name, state: 'current', storage }
  if (input.has('dry-run')) {
    const objects = await countObjects(migration, definition)
    return { name, state: 'dry run', storage, oldVersions, objects }
  }
  const { terminal } = context
  const from = oldVersions.join(' and ')
  terminal.printProgress(
    terminal.style.dim(
      position === undefined
        ? `${name}: rewriting the objects that are stored as ${from}, to ${storage}`
        : `${name}: continuing after ${counted(position.done, 'object')}, to ${storage}`,
    ),
  )
  const first = position?.done ?? 0
  const progress = new MigrationProgress(context, { name, first, isJson: input.has('json') })
  try {
    const onProgress = (done: number): void => progress.show(done)
    return { name, ...(await migrateDefinition({ ...migration, onProgress }, definition)) }
  } finally {
    progress.end()
  }
}

async function countObjects(
  migration: Omit<Migration, 'onProgress'>,
  definition: StoredDefinition,
): Promise<number> {
  let count = 0
  let token = ''
  do {
    const page = await pageAt(migration, definition, token)
    count += page.items.length
    token = page.continue
  } while (token !== '')
  return count
}

/** The page size of kubectl. */
const pageSize = 500

const concurrencyDefault = 20
const concurrencyMax = 1000

function concurrencyOf(input: CommandInput): number {
  const text = input.value('concurrency') ?? String(concurrencyDefault)
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= 1 && number <= concurrencyMax) return number
  throw new CommandError(`--concurrency is ${text}, which is not a number from 1 to 1000`, {
    exitCode: exitCodes.usage,
  })
}
