import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isSetpointError } from 'setpoint'
import { CommandError } from '../command/index.ts'
import type { ShownError } from './messages.ts'

/** An error with its location in the author's sources, relative to `folder`. */
export function formatError(error: unknown, folder: string): ShownError {
  if (!(error instanceof Error)) return { message: String(error), at: undefined }
  const causes = causesOf(error)
  const message = [error, ...causes].map(textOf).join(': ')
  const at = [...causes, error]
    .map((each) => placeOf(each, folder))
    .find((place) => place !== undefined)
  return { message, at }
}

function causesOf({ cause }: Error): Error[] {
  return cause instanceof Error ? [cause, ...causesOf(cause)] : []
}

function textOf(error: Error): string {
  if (isSetpointError(error)) {
    const first = error.message.split('\n  hint:')[0] ?? error.message
    return error.hint === undefined ? first : `${first} (${error.hint})`
  }
  if (error instanceof CommandError) {
    return error.hint === undefined ? error.message : `${error.message} (${error.hint})`
  }
  return error.name === 'Error' ? error.message : `${error.name}: ${error.message}`
}

/** The first stack frame that is neither in Node nor in a package. */
function placeOf({ stack = '' }: Error, folder: string): string | undefined {
  for (const [, file = '', position = ''] of stack.matchAll(
    /^\s*at (?:async )?(?:.*? \()?((?:file:\/\/|\/|[A-Za-z]:\\|node:).*?):(\d+:\d+)\)?$/gm,
  )) {
    if (file.startsWith('node:')) continue
    const path = file.startsWith('file://') ? fileURLToPath(file.replace(/\?.*$/, '')) : file
    const short = relative(folder, path)
    if (!/^\.\.|node_modules/.test(short)) return `${short}:${position}`
  }
  return undefined
}
