import { isAbsolute, join, relative } from 'node:path'
import { type CommandContext, type ExitCode, exitCodes, type RunCommand } from '../command/index.ts'
import { operatorsFile, operatorsIn } from '../project/index.ts'
import { checkExpressions } from '../expressions/index.ts'
import { requireTypes } from '../typecheck/index.ts'
import { checkDefinitionRules } from './check-definition-rules.ts'
import { definitionsOf } from './definition-objects.ts'
import { lineDifferences } from './line-differences.ts'
import {
  type ManifestChange,
  manifestChanges,
  writeManifests,
  yamlFiles,
} from './manifest-changes.ts'
import { manifestOptions } from './manifest-flags.ts'
import { manifestsFolder, projectManifests } from './project-manifests.ts'
import { type SampleProblem, sampleProblems } from './sample-problems.ts'

/** `setpoint generate`: updates the manifests of a project, or checks that they are up to date. */
export const runGenerate: RunCommand = async (context, input) => {
  const { host, folder: here } = context
  const { project, file } = await operatorsFile(context, input.arguments[0])
  const checkTypes = input.has('no-typecheck')
    ? undefined
    : requireTypes(context, { project, file })
  const operators = await operatorsIn(file)
  for (const definition of definitionsOf(operators)) {
    checkDefinitionRules(definition)
  }
  await checkExpressions(operators)
  const output = input.value('output')
  const folder =
    output === undefined
      ? join(project.folder, manifestsFolder)
      : isAbsolute(output)
        ? output
        : join(here, output)
  const files = projectManifests({
    project,
    operators,
    options: manifestOptions(input),
    hasInstallFile: input.has('install-file') || project.settings.installFile === true,
  })
  const below = files.map((file) => ({
    ...file,
    path: file.path.slice(manifestsFolder.length + 1),
  }))
  const changes = await manifestChanges(host, folder, below)
  const isCheck = input.has('check')
  const unchecked = await checkTypes?.()
  if (!isCheck) await writeManifests(host, folder, changes)
  const samples = (await yamlFiles(host, join(folder, 'samples'))).filter(
    ({ path }) => path !== 'kustomization.yaml',
  )
  const shown = (path: string): string => relative(here, join(folder, path))
  const problems = samples.flatMap(({ path, text }) =>
    sampleProblems(definitionsOf(operators), { path: shown(`samples/${path}`), text }),
  )
  const named = changes.map((change) => ({ ...change, path: shown(change.path) }))
  const report = { changes: named, problems, isCheck }
  if (input.has('json')) printJson(context, report)
  else printReport(context, report)
  if (unchecked !== undefined) context.terminal.printProgress(unchecked)
  return exitCodeOf(report)
}

interface Report {
  readonly changes: readonly ManifestChange[]
  readonly problems: readonly SampleProblem[]
  readonly isCheck: boolean
}

function isDone({ change }: ManifestChange): boolean {
  return change === 'unchanged' || change === 'kept'
}

function exitCodeOf({ changes, problems, isCheck }: Report): ExitCode {
  const isStale = changes.some((change) => !isDone(change))
  return isCheck && (isStale || problems.length > 0) ? exitCodes.failed : exitCodes.ok
}

function printJson({ terminal }: CommandContext, { changes, problems }: Report): void {
  const files = changes.map(({ path, change }) => ({ path, change }))
  terminal.print(JSON.stringify({ files, problems }, undefined, 2))
}

/** The words for a change that was made, and for one that `--check` found. */
const words = {
  created: ['created', 'missing'],
  changed: ['changed', 'outdated'],
  removed: ['removed', 'superfluous'],
} as const

function printReport({ terminal }: CommandContext, { changes, problems, isCheck }: Report): void {
  const { style } = terminal
  for (const each of changes) {
    const { path, change, before = '', after = '' } = each
    if (change === 'unchanged' || change === 'kept') continue
    const word = words[change][isCheck ? 1 : 0]
    terminal.print(`${style.yellow(word.padEnd(isCheck ? 12 : 8))} ${path}`)
    if (!isCheck || change !== 'changed') continue
    for (const line of lineDifferences(before, after)) terminal.print(`  ${line}`)
  }
  for (const { path, field, message } of problems) {
    const line = `${path}: ${field === '' ? '' : `${field}: `}${message}`
    if (isCheck) terminal.print(`${style.red('wrong'.padEnd(12))} ${line}`)
    else terminal.printProgress(`${style.yellow('warning:')} ${line}`)
  }
  const open = changes.filter((change) => !isDone(change)).length
  if (open === 0) {
    if (!isCheck || problems.length === 0) terminal.print(`${changes.length} files are up to date`)
  } else if (isCheck) terminal.printProgress('run `setpoint generate` to update them')
}
