import { text } from 'node:stream/consumers'
import process from 'node:process'

/** The whole standard input. */
export async function readInput(): Promise<string> {
  return text(process.stdin)
}
