import { SetpointError } from '../errors/index.ts'

/** Translates an error of the file system; the virtual one throws the same codes. */
export function fileError(action: string, path: string, cause: unknown): SetpointError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  // Nothing exists below a path that is a file.
  const missing = code === 'ENOENT' || code === 'ENOTDIR'
  return new SetpointError(
    missing ? 'FILE_NOT_FOUND' : 'FILE_UNREADABLE',
    `could not ${action} ${path}: ${cause instanceof Error ? cause.message : String(cause)}`,
    {
      hint: missing
        ? 'check the path, and that its directory exists'
        : 'check the permissions, and whether it is a file or a directory',
      cause,
    },
  )
}
