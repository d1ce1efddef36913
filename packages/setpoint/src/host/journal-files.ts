/** A file to which records are appended. */
export interface JournalFile {
  /**
   * Appends text. When it returns, the operating system has it: it survives the end of this
   * process, even by SIGKILL. A loss of power may lose it. Throws `FILE_UNREADABLE`, for example
   * when the disk is full; then no part of the text is in the file.
   */
  append(text: string): void
  close(): void
}

/**
 * Files of programs that keep a journal. They are not part of a `Host`: few programs need them, and
 * their calls block the process.
 */
export interface JournalFiles {
  /** Opens a file for appending, and creates it if it does not exist. */
  openJournal(path: string, options?: { readonly mode?: number }): Promise<JournalFile>
  /**
   * Locks an existing directory until the lock is disposed or the process ends. `undefined` if
   * another process of this machine has locked it.
   */
  lockDirectory(path: string): Promise<AsyncDisposable | undefined>
}
