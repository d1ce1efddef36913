import { messageOf, withoutValues } from '../errors/index.ts'

/** An error in a record, with pino's field names. */
interface PlainError {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly stack?: string
}

/** How many causes are included. */
const causesMax = 5

/** An error as data. The stack includes the stacks of its causes; omit it for expected errors. */
export function plainError(error: unknown, options: { readonly stack: boolean }): PlainError {
  if (!(error instanceof Error)) return { type: typeof error, message: textOf(error) }
  const code: unknown = 'code' in error ? error.code : undefined
  return {
    type: error.name,
    message: withoutValues(messageOf(error)),
    ...(typeof code === 'string' ? { code } : {}),
    ...(options.stack ? { stack: stackOf(error) } : {}),
  }
}

function stackOf(error: Error): string {
  const stacks: string[] = []
  let current: unknown = error
  while (current instanceof Error && stacks.length < causesMax) {
    stacks.push(withoutValues(String(current.stack ?? messageOf(current))))
    current = current.cause
  }
  return stacks.join('\ncaused by: ')
}

function textOf(thrown: unknown): string {
  try {
    return typeof thrown === 'string' ? thrown : String(JSON.stringify(thrown))
  } catch {
    return 'a value that cannot be serialized'
  }
}
