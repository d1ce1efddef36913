import { fieldError } from 'setpoint/schema'
import { invalidObject, type ApiError } from '../../../status/index.ts'

/** 422 for a patch, with the text that cannot be decoded. */
export function patchRefusal(quoted: string, why: string): ApiError {
  return invalidObject({ group: '', kind: '' }, '', [fieldError.invalid('patch', quoted, why)])
}
