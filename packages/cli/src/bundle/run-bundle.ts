import { isAbsolute, join } from 'node:path'
import { CommandError, type CommandInput, type RunCommand } from '../command/index.ts'
import { checkExpressions } from '../expressions/index.ts'
import {
  checkDefinitionRules,
  definitionsOf,
  manifestOptions,
  needsPods,
} from '../generate/index.ts'
import { reportOutput, writeOutput } from '../output/index.ts'
import { operatorsFile, operatorsIn, type Project } from '../project/index.ts'
import { requireTypes } from '../typecheck/index.ts'
import { bundleFiles } from './bundle-files.ts'
import type { BundleOptions } from './bundle-settings.ts'
import { bundleSource } from './bundle-source.ts'
import { catalogFiles } from './catalog-files.ts'

const command = 'setpoint bundle'

/** `setpoint bundle`: writes an OLM bundle, and with `--catalog` a file-based catalog. */
export const runBundle: RunCommand = async (context, input) => {
  const { project, file } = await operatorsFile(context, input.arguments[0])
  const checkTypes = input.has('no-typecheck')
    ? undefined
    : requireTypes(context, { project, file })
  const operators = await operatorsIn(file)
  if (!needsPods(operators)) {
    throw new CommandError('these operators have no pods, so that OLM has nothing to install', {
      hint: 'deploy policies with setpoint chart or setpoint generate',
    })
  }
  for (const definition of definitionsOf(operators)) checkDefinitionRules(definition)
  await checkExpressions(operators)
  const source = { project, operators, options: manifestOptions(input) }
  const options = bundleOptions(input)
  const files = input.has('catalog')
    ? catalogFiles({ source, options, bundleImage: requiredImage(input, project) })
    : bundleFiles(await bundleSource(context, source, options))
  const unchecked = await checkTypes?.()
  const what = input.has('catalog') ? 'catalog' : 'bundle'
  const output = input.value('output') ?? join(project.folder, what)
  const folder = isAbsolute(output) ? output : join(context.folder, output)
  const isCheck = input.has('check')
  const marked = input.has('catalog') ? (files[0]?.path ?? '') : 'metadata/annotations.yaml'
  const changes = await writeOutput(context.host, { folder, files, command, marked, isCheck })
  if (unchecked !== undefined) context.terminal.printProgress(unchecked)
  return reportOutput(context, input, { folder, changes, isCheck, command })
}

function bundleOptions(input: CommandInput): BundleOptions {
  const list = (name: string): string[] | undefined => input.value(name)?.split(',')
  return {
    channels: list('channels'),
    defaultChannel: input.value('default-channel'),
    replaces: input.value('replaces'),
    skips: list('skips'),
    skipRange: input.value('skip-range'),
  }
}

function requiredImage(input: CommandInput, project: Project): string {
  const image = input.value('bundle-image') ?? project.settings.bundle?.image
  if (image !== undefined) return image
  throw new CommandError('a catalog needs the image of the bundle', {
    hint: 'use --bundle-image registry.example.com/app-bundle:1.0.0, or set it in package.json: "setpoint": { "bundle": { "image": ... } }',
  })
}
