vim9script
# A buffer with unsaved changes whose file an agent writes after an acceptance. Neither text may be lost: until both are
# merged, `:w` does not write, and no question offers to discard one of them.

import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/text.vim'

# By buffer: { agent, path, before, is_merged }. `before` is what the file was, null when there was none; `is_merged` is
# whether the buffer has what the agent has written.
var held: dict<dict<any>> = {}

export def Release(buffer: number)
  if has_key(held, string(buffer))
    remove(held, string(buffer))
    execute printf('autocmd! ide_companion_conflict * <buffer=%d>', buffer)
  endif
enddef

# Writes the buffer over its file. Vim would ask about the file's time, also after `:w!`: so it reads the file first.
def WriteOver()
  const [view, lines] = [winsaveview(), getline(1, '$')]
  const format = [&fileformat, &fileencoding, &bomb, &endofline]
  try
    silent edit!
  finally
    # Also when an autocommand of the user fails.
    silent deletebufline('', 1, '$')
    setline(1, lines)
    [&l:fileformat, &l:fileencoding, &l:bomb, &l:endofline] = format
    winrestview(view)
  endtry
  write
enddef

# Returns what has failed, or nothing.
def Try(Act: func()): string
  try
    Act()
  catch
    return substitute(v:exception, '^Vim\%((\a\+)\)\=:', '', '')
  endtry
  return ''
enddef

# `:w other-file` writes a copy, with the autocommands of others.
def WriteCopy(buffer: number, target: string)
  execute printf('autocmd! ide_companion_conflict BufWriteCmd <buffer=%d>', buffer)
  const command = 'keepalt write' .. (v:cmdbang ? '! ' : ' ') .. fnameescape(target)
  const failure = Try(() => {
    execute command
  })
  Guard(buffer)
  if failure != ''
    say.Error(failure)
  endif
enddef

# Runs instead of writing.
def OnWrite()
  const buffer = str2nr(expand('<abuf>'))
  const target = expand('<afile>')
  const conflict = held[string(buffer)]
  if fnamemodify(target, ':p') !=# fnamemodify(bufname(buffer), ':p')
    WriteCopy(buffer, target)
    return
  elseif !conflict.is_merged && !v:cmdbang
    say.Warn(printf("%s's change is not in this buffer   :IdeCompanion merge, or :w! to write over it", conflict.agent))
    return
  endif
  Release(buffer)
  const failure = Try(WriteOver)
  if failure != ''
    Protect(buffer, conflict)
    say.Error(failure)
  endif
enddef

def Guard(buffer: number)
  augroup ide_companion_conflict
    execute printf('autocmd BufWriteCmd <buffer=%d> ++nested OnWrite()', buffer)
  augroup END
enddef

# Protects the file: `:w` in the buffer no longer overwrites the text of the agent.
export def Hold(buffer: number, proposal: dict<any>)
  const former = get(held, string(buffer), {is_merged: true})
  # Changes that are apart since an earlier acceptance have been made to the text of then.
  const before = former.is_merged ? proposal.original : former.before
  Protect(buffer, {agent: proposal.agent, path: proposal.filePath, before: before, is_merged: false})
enddef

def Protect(buffer: number, conflict: dict<any>)
  Release(buffer)
  held[string(buffer)] = conflict
  Guard(buffer)
  augroup ide_companion_conflict
    # Another buffer may be the current one then.
    execute printf('autocmd FileChangedShell <buffer=%d> v:fcs_choice = getbufvar(%d, "&modified") ? "" : "reload"',
      buffer, buffer)
    # `:e!` loads the text of the file.
    execute printf('autocmd BufReadPost,BufUnload <buffer=%d> Release(%d)', buffer, buffer)
  augroup END
enddef

# The agent has written; `params` are those of `companion/fileWritten`.
export def Written(buffer: number, params: dict<any>)
  if has_key(held, string(buffer))
    say.Warn(printf('%s has written %s, your buffer has unsaved changes   :IdeCompanion merge', params.agent, params.label))
  endif
enddef

# Merges a buffer with its file: the current buffer, or else any other with a conflict.
export def Merge()
  const key = has_key(held, string(bufnr())) ? string(bufnr()) : get(keys(held), 0, '')
  if key == ''
    say.Info('No buffer has unsaved changes over which an accepted proposal was written.')
    return
  endif
  final conflict = held[key]
  const mine: string = text.Get(str2nr(key))
  server.Ask('companion/merge', {filePath: conflict.path, before: conflict.before, content: mine}, (result) => {
    if get(held, key, {}) isnot conflict || text.Get(str2nr(key)) !=# mine
      say.Warn('The buffer has changed meanwhile   :IdeCompanion merge')
    else
      conflict.is_merged = true
      if !win_gotoid(bufwinid(str2nr(key)))
        execute 'hide buffer' key
      endif
      text.Replace(result.content)
      say.Info(result.isClean ? 'Merged: :w saves it, u undoes that'
        : 'Both have changed the same lines: choose between the versions, then :w')
    endif
  })
enddef

defcompile
