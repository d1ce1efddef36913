import { text } from 'node:stream/consumers'
import process from 'node:process'

/** All of the standard input: what was piped into the command. */
export async function readInput(): Promise<string> {
  return text(process.stdin)
}
