import type { ServerResponse } from 'setpoint/host'

/** 429 of the filter for priority and fairness, which answers with text. */
export function tooManyRequests(retryAfterSeconds: number): ServerResponse {
  return {
    status: 429,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'retry-after': String(retryAfterSeconds),
    },
    body: 'Too many requests, please try again later.\n',
  }
}
