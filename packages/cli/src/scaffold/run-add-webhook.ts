import { join } from 'node:path'
import * as kinds from 'setpoint/kinds'
import { parse } from 'yaml'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  exitCodes,
  type ExitCode,
} from '../command/index.ts'
import { findProject } from '../project/index.ts'
import { addFunctions } from './add-functions.ts'
import { addToOperators } from './add-to-operators.ts'
import { builtinSamples } from './builtin-samples.ts'
import { checkKind, resourceNames } from './names.ts'
import { type AddedFunctions, reviewerText, webhookTestText } from './webhook-files.ts'

const listFile = 'src/operators.ts'

/** `setpoint add webhook`: adds `.validate` and `.mutate` for a kind, with a test. */
export async function runAddWebhook(
  context: CommandContext,
  input: CommandInput,
): Promise<ExitCode> {
  const { folder } = await findProject(context)
  const kind = input.arguments[0] ?? ''
  checkKind(kind)
  const isAny = input.has('validate') || input.has('mutate')
  const functions = {
    validate: !isAny || input.has('validate'),
    mutate: !isAny || input.has('mutate'),
  }
  const files = new ProjectText(context, folder)
  const module = await files.moduleOf(kind)
  if (module !== undefined) await toOwnKind(files, { kind, module, functions })
  else await toBuiltinKind(files, kind, functions)
  if (files.isUnchanged) context.terminal.print('nothing was changed')
  return exitCodes.ok
}

interface OwnKind {
  readonly kind: string
  /** The path of the module with its definition and its operator. */
  readonly module: string
  readonly functions: AddedFunctions
}

async function toOwnKind(files: ProjectText, { kind, module, functions }: OwnKind): Promise<void> {
  const text = (await files.read(module)) ?? ''
  const missing = {
    validate: functions.validate && !text.includes('.validate('),
    mutate: functions.mutate && !text.includes('.mutate('),
  }
  for (const name of ['validate', 'mutate'] as const) {
    if (functions[name] && !missing[name]) files.say(`${module} already has .${name}`)
  }
  if (!missing.validate && !missing.mutate) return
  const changed = addFunctions(text, kind, missing)
  if (changed === undefined || !/^export default operator\(/m.test(text)) {
    throw new CommandError(`${module} has no \`export default operator(${kind})\``, {
      hint: 'nothing was changed; add .validate or .mutate to its operator: docs/guide/webhooks.md has examples',
    })
  }
  const sample = `config/samples/${kind.toLowerCase()}.yaml`
  const content = await files.read(sample)
  if (content === undefined) {
    throw new CommandError(`there is no ${sample}, from which the test would be written`, {
      hint: 'nothing was changed; setpoint generate writes a sample for each kind',
    })
  }
  const { spec } = parse(content) as { readonly spec?: unknown }
  const file = module.replace(/^src\/|\.ts$/g, '')
  const { variable } = resourceNames({ kind, group: 'example.com', version: 'v1' })
  const kindImport = `import ${variable}, { ${kind} } from './${file}.ts'`
  const fields = spec === undefined ? {} : { spec }
  await files.write(module, changed)
  const names = { kind, variable, file }
  await files.create(
    `src/${file}-webhook.test.ts`,
    webhookTestText({ names, functions: missing, kindImport, fields }),
  )
}

async function toBuiltinKind(
  files: ProjectText,
  kind: string,
  functions: AddedFunctions,
): Promise<void> {
  const fields = builtinSamples[kind]
  if (!(kind in kinds)) {
    throw new CommandError(`the project defines no ${kind}, and it is not a built-in kind`, {
      exitCode: exitCodes.usage,
      hint: `setpoint add resource ${kind} adds a resource; setpoint kinds writes the types of an installed CRD, for operator(${kind}, { name }).validate(...)`,
    })
  }
  const own = resourceNames({ kind, group: 'example.com', version: 'v1' })
  const names = { kind, variable: `${own.variable}Webhook`, file: `${own.file}-webhook` }
  const module = `src/${names.file}.ts`
  if ((await files.read(module)) !== undefined) {
    files.say(`${module} already exists`)
    return
  }
  const kindImport = `import { ${kind} } from 'setpoint/kinds'\nimport ${names.variable} from './${names.file}.ts'`
  await files.create(module, reviewerText(names, functions))
  if (fields === undefined)
    files.say('no test was written, because no example of the kind is prepared')
  else {
    await files.create(
      `src/${names.file}.test.ts`,
      webhookTestText({ names, functions, kindImport, fields }),
    )
  }
  const before = await files.read(listFile)
  const list = addToOperators(before ?? 'export default []\n', { ...own, ...names })
  if (list !== undefined) await files.write(listFile, list)
  else
    files.say(
      `add the operator to the default export of ${listFile}: import ${names.variable} from './${names.file}.ts'`,
    )
}

/** The files of the project, as text. */
class ProjectText {
  readonly #context: CommandContext
  readonly #folder: string
  isUnchanged = true

  constructor(context: CommandContext, folder: string) {
    this.#context = context
    this.#folder = folder
  }

  say(line: string): void {
    this.#context.terminal.print(line)
  }

  async read(path: string): Promise<string | undefined> {
    const { host } = this.#context
    const full = join(this.#folder, path)
    if ((await host.fileInfo(full)) === undefined) return undefined
    return new TextDecoder().decode(await host.readFile(full))
  }

  async write(path: string, text: string): Promise<void> {
    const { host, terminal } = this.#context
    const isNew = (await this.read(path)) === undefined
    await host.writeFile(join(this.#folder, path), text)
    this.isUnchanged = false
    this.say(`${terminal.style.green(isNew ? 'created' : 'changed')} ${path}`)
  }

  /** Writes a new file, and leaves an existing one alone. */
  async create(path: string, text: string): Promise<void> {
    if ((await this.read(path)) === undefined) await this.write(path, text)
    else this.say(`${path} already exists: it was not changed`)
  }

  /** The module with the definition of a kind; as text, because the sources may fail to load. */
  async moduleOf(kind: string): Promise<string | undefined> {
    const { host } = this.#context
    if ((await host.fileInfo(join(this.#folder, 'src'))) === undefined) return undefined
    for (const name of await host.listDirectory(join(this.#folder, 'src'))) {
      if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
      const text = (await this.read(`src/${name}`)) ?? ''
      if (new RegExp(`\\bkind: '${kind}'`).test(text)) return `src/${name}`
    }
    return undefined
  }
}
