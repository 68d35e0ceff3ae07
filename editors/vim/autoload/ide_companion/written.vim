vim9script
# What agents wrote without asking: marks in the user's own buffers, and what the user decides about them there. The
# server says which lines they are, also where a buffer has unsaved edits.

import autoload 'ide_companion/lists.vim'
import autoload 'ide_companion/quiet.vim'
import autoload 'ide_companion/removed.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/text.vim' as text_of

# Names the signs as well. Above those of other plugins, which have 10 by default.
const group = 'ide_companion_written'
const priority = 20
const signs = {Added: ['+', 'DiffAdd'], Changed: ['~', 'DiffChange'], Removed: ['-', 'DiffDelete']}
# More would fill the screen, or take long.
const most_removed = 12
const most_signs = 2000

# By buffer: { filePath, revision, count }. `filePath` is as the server names the file, `revision` is that of the hunks which
# are drawn, and `count` how many these are.
var shown: dict<dict<any>> = {}

def Draw(buffer: number, hunk: dict<any>)
  const kind = empty(hunk.removed) ? 'Added' : hunk.added == 0 ? 'Removed' : 'Changed'
  const count = getbufinfo(buffer)[0].linecount
  const last = hunk.line + min([max([hunk.added, 1]), most_signs]) - 1
  sign_placelist(range(min([hunk.line, count]), min([last, count]))->mapnew((_, line) =>
    ({buffer: buffer, group: group, name: group .. kind, lnum: line, priority: priority})))
  const more = len(hunk.removed) - most_removed
  removed.Draw(buffer, hunk.removed[: most_removed - 1] + (more > 0 ? [printf('… and %d more lines', more)] : []), hunk.line)
enddef

# Marks a buffer as its text is now.
def Place(buffer: number)
  final state: dict<any> = get(shown, string(buffer), {})
  if empty(state) || !bufloaded(buffer)
    return
  endif
  const tick = getbufvar(buffer, 'changedtick')
  const params = {filePath: state.filePath, content: text_of.Get(buffer)}
  server.Request('companion/placeHunks', params, (result, _) => {
    if result == null || get(shown, string(buffer), {}) isnot state || getbufvar(buffer, 'changedtick') != tick
      return # its next text is on its way
    endif
    const is_listed = state.revision == result.revision && state.count == len(result.hunks)
    extend(state, {revision: result.revision, count: len(result.hunks)})
    sign_unplace(group, {buffer: buffer})
    removed.Clear(buffer)
    for hunk in result.hunks
      Draw(buffer, hunk)
    endfor
    if !is_listed
      lists.Follow('written')
    endif
  })
enddef

def Follow(buffer: number)
  for [name, sign] in items(signs)
    sign_define(group .. name, {text: sign[0], texthl: sign[1]})
  endfor
  augroup ide_companion_written
    execute printf('autocmd! * <buffer=%d>', buffer)
    execute printf('autocmd BufReadPost,FileChangedShellPost,TextChanged,InsertLeave,BufWritePost,BufWinEnter <buffer=%d> Soon(%d)',
      buffer, buffer)
    # Not when it is unloaded: `:e!` does that too.
    execute printf('autocmd BufDelete,BufWipeout <buffer=%d> Forget(%d)', buffer, buffer)
  augroup END
enddef

def Soon(buffer: number)
  timer_start(0, (_) => Place(buffer))
enddef

def Forget(buffer: number)
  remove(shown, string(buffer))
  execute printf('autocmd! ide_companion_written * <buffer=%d>', buffer)
enddef

# `companion/writtenHunks`
export def Hunks(params: dict<any>)
  const buffer = text_of.BufferOf(params.filePath)
  if buffer < 0 || !bufloaded(buffer)
    return
  elseif !has_key(shown, string(buffer))
    shown[string(buffer)] = {filePath: params.filePath, revision: '', count: 0}
    Follow(buffer)
  endif
  # Until then it has not read what is marked.
  quiet.When(() => bufnr() != buffer || mode(1) == 'n', () => Place(buffer))
enddef

# Goes to the next hunk, or to the one before when `by` is -1, also in another file. `from`: a line, by default that of
# the cursor.
export def Go(by: number, from = -1)
  const buffer = bufnr()
  const state: dict<any> = get(shown, string(buffer), {})
  const here = empty(state) ? {filePath: expand('%:p')} : {filePath: state.filePath, content: text_of.Get(buffer)}
  const params = extendnew(here, {line: from < 0 ? line('.') : from, by: by})
  server.Ask('companion/nextWritten', params, (result) => {
    if result.filePath == null
      say.Info('Nothing else that an agent wrote waits for you.')
      return
    elseif result.filePath != here.filePath
      execute 'hide edit' fnameescape(fnamemodify(result.filePath, ':.'))
      Hunks(result)
    elseif bufnr() != buffer
      return
    endif
    if has_key(result, 'lines')
      execute "normal! m'"
      cursor(result.lines.first, 1)
      execute 'normal! zv' .. (result.lines.last > line('w$') ? 'zz' : '')
    endif
  })
enddef

# Decides about the hunks in some lines, and goes on. Where there are none it only does that. `action`: keep or revert.
export def Decide(action: string, first: number, last: number)
  const buffer = bufnr()
  const state: dict<any> = get(shown, string(buffer), {revision: ''})
  if state.revision == ''
    Go(1)
    return
  endif
  const [lines, mine] = [{first: first, last: last}, text_of.Get(buffer)]
  const params = {filePath: state.filePath, revision: state.revision, lines: lines, action: action, content: mine}
  server.Ask('companion/decideHunks', params, (result) => {
    if has_key(result, 'content')
      if text_of.Get(buffer) !=# mine
        say.Warn('The buffer has changed meanwhile: try again')
        return
      endif
      text_of.Change(buffer, result.content, result.edits)
      Place(buffer) # TextChanged comes with the next key
    endif
    if bufnr() == buffer
      Go(1, result.line)
    endif
  })
enddef

defcompile
