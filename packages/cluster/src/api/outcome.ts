import type { ServerResponse } from 'setpoint/host'
import type { JsonAnswer } from './http/respond.ts'

/** The result of a verb: JSON that is encoded as the client negotiated, or a complete response. */
export type Outcome = { readonly answer: JsonAnswer } | { readonly response: ServerResponse }
