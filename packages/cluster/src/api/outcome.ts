import type { ServerResponse } from 'setpoint/host'
import type { JsonAnswer } from './http/respond.ts'

/** What a verb gives back: JSON to be written as the client wants it, or a finished response. */
export type Outcome = { readonly answer: JsonAnswer } | { readonly response: ServerResponse }
