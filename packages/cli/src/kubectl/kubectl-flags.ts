import { KubectlProblem, unsupported } from './kubectl-problem.ts'

/**
 * A flag of a command: boolean (`yes`), with a value, with several values, or with an optional
 * value.
 */
interface FlagDeclaration {
  readonly form: 'yes' | 'text' | 'list' | 'optional'
  readonly short?: string
  /** The value of `--flag` without a value, for the form `optional`. */
  readonly alone?: string
}

/** The flags of a command by name. */
export type FlagDeclarations = Readonly<Record<string, FlagDeclaration>>

/** Flags that every command has. */
export const commonFlags: FlagDeclarations = {
  namespace: { form: 'text', short: 'n' },
  kubeconfig: { form: 'text' },
  context: { form: 'text' },
  as: { form: 'text' },
}

/** The arguments and flags of a command, parsed as kubectl does. */
export interface KubectlLine {
  readonly words: readonly string[]
  /** The arguments after `--`. */
  readonly rest: readonly string[]
  isSet(flag: string): boolean
  text(flag: string): string | undefined
  list(flag: string): readonly string[]
  /** Whether a flag without a value is on; `fallback` unless it was given. */
  isOn(flag: string, fallback?: boolean): boolean
}

/** Parses arguments and flags in any order: `-n web`, `-nweb`, `--namespace=web`, `-Aw`. */
export function readLine(
  command: string,
  args: readonly string[],
  declared: FlagDeclarations,
): KubectlLine {
  const flags = { ...commonFlags, ...declared }
  const values = new Map<string, string[]>()
  const words: string[] = []
  const left = [...args]
  const end = left.indexOf('--')
  const rest = end === -1 ? [] : left.splice(end).slice(1)
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    if (arg === '-' || !arg.startsWith('-')) words.push(arg)
    else if (arg.startsWith('--')) readLong(arg.slice(2))
    else readShort(arg.slice(1))
  }

  function keep(name: string, value: string): void {
    values.set(name, [...(values.get(name) ?? []), value])
  }

  function next(shown: string): string {
    const value = left.shift()
    if (value !== undefined) return value
    throw new KubectlProblem(`error: flag needs an argument: ${shown}`)
  }

  function readLong(text: string): void {
    const at = text.indexOf('=')
    const name = at === -1 ? text : text.slice(0, at)
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined
    if (flag === undefined) throw unsupported(`the flag --${name} of ${command}`)
    if (at !== -1) keep(name, text.slice(at + 1))
    else if (flag.form === 'yes') keep(name, 'true')
    else if (flag.form === 'optional') keep(name, flag.alone ?? 'true')
    else keep(name, next(`--${name}`))
  }

  function readShort(letters: string): void {
    for (let at = 0; at < letters.length; at += 1) {
      const letter = letters.charAt(at)
      const found = Object.entries(flags).find(([, { short }]) => short === letter)
      if (found === undefined) throw unsupported(`the flag -${letter} of ${command}`)
      const [name, { form }] = found
      if (form === 'yes' && letters.charAt(at + 1) !== '=') {
        keep(name, 'true')
        continue
      }
      const attached = letters.slice(at + 1).replace(/^=/, '')
      keep(name, attached === '' ? next(`'${letter}' in -${letters}`) : attached)
      return
    }
  }

  return {
    words,
    rest,
    isSet: (flag) => values.has(flag),
    text: (flag) => values.get(flag)?.at(-1),
    list: (flag) => (values.get(flag) ?? []).flatMap((value) => value.split(',')),
    isOn: (flag, fallback = false) => {
      const value = values.get(flag)?.at(-1)
      return value === undefined ? fallback : value === 'true'
    },
  }
}
