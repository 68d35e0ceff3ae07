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

# By buffer: { file, revision, hunks, tick }. `file` is what the server sent last of its file, `hunks` are as they are
# drawn, in lines of the text that the buffer had with `tick`.
var shown: dict<dict<any>> = {}

def Nothing()
enddef

# The first and the last line of a hunk.
def LinesOf(buffer: number, hunk: dict<any>): list<number>
  const count = getbufinfo(buffer)[0].linecount
  return [min([hunk.line, count]), min([hunk.line + max([hunk.added, 1]) - 1, count])]
enddef

def Draw(buffer: number, hunk: dict<any>)
  const kind = empty(hunk.removed) ? 'Added' : hunk.added == 0 ? 'Removed' : 'Changed'
  const [first, last] = LinesOf(buffer, hunk)
  sign_placelist(range(first, min([last, first + most_signs]))->mapnew((_, line) =>
    ({buffer: buffer, group: group, name: group .. kind, lnum: line, priority: priority})))
  const more = len(hunk.removed) - most_removed
  removed.Draw(buffer, hunk.removed[: most_removed - 1] + (more > 0 ? [printf('… and %d more lines', more)] : []), hunk.line)
enddef

# Marks a buffer as its text is now.
def Place(buffer: number, OnPlaced: func() = Nothing)
  final state: dict<any> = get(shown, string(buffer), {})
  if empty(state) || !bufloaded(buffer)
    return
  endif
  const tick = getbufvar(buffer, 'changedtick')
  const Show = (result: dict<any>) => {
    if get(shown, string(buffer), {}) isnot state || getbufvar(buffer, 'changedtick') != tick
      return # its next text is on its way
    endif
    const is_listed = result isnot state.file && len(result.hunks) == len(state.hunks)
    extend(state, {revision: result.revision, hunks: result.hunks, tick: tick})
    sign_unplace(group, {buffer: buffer})
    removed.Clear(buffer)
    for hunk in result.hunks
      Draw(buffer, hunk)
    endfor
    if !is_listed
      lists.Follow('written')
    endif
    OnPlaced()
  }
  if !getbufvar(buffer, '&modified')
    Show(state.file)
    return
  endif
  server.Request('companion/placeHunks', {filePath: state.file.filePath, content: text_of.Get(buffer)}, (result, failure) => {
    if failure == null
      Show(result)
    endif
  })
enddef

# Acts on the current buffer when its hunks are those of its text. Act gets the number of the buffer and its hunks.
def WhenPlaced(Act: func(number, list<dict<any>>))
  const buffer = bufnr()
  const state: dict<any> = get(shown, string(buffer), {})
  if empty(state) || get(state, 'tick', -1) == b:changedtick
    Act(buffer, get(state, 'hunks', []))
    return
  endif
  Place(buffer, () => {
    if bufnr() == buffer
      Act(buffer, state.hunks)
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
    shown[string(buffer)] = {hunks: []}
    Follow(buffer)
  endif
  shown[string(buffer)].file = params
  # Until then it has not read what is marked.
  quiet.When(() => bufnr() != buffer || mode(1) == 'n', () => Place(buffer))
enddef

# The line of a hunk, as the server lists it, in what the user edits; -1 where that has another text there.
export def LineOf(path: string, hunk: dict<any>): number
  const buffer = text_of.BufferOf(path)
  const state: dict<any> = get(shown, string(buffer), {})
  if !has_key(state, 'tick') || !getbufvar(buffer, '&modified')
    return hunk.line
  endif
  const placed: dict<any> = get(filter(copy(state.hunks), (_, one) => one.id == hunk.id), 0, {})
  return empty(placed) ? -1 : LinesOf(buffer, placed)[0]
enddef

# Goes to another file with something to look at.
def GoOn(by: number)
  # In these the user has reverted all hunks, and perhaps not saved that.
  const decided = values(shown)->filter((_, state) => has_key(state, 'tick') && empty(state.hunks))
  server.Ask('companion/nextWritten', {
    filePath: expand('%:p'),
    by: by,
    decided: mapnew(decided, (_, state) => state.file.filePath),
  }, (result) => {
    if result.filePath == null
      say.Info('Nothing else that an agent wrote waits for you.')
    else
      execute 'hide edit' fnameescape(fnamemodify(result.filePath, ':.'))
      if !empty(result.hunks)
        Hunks(result)
        Go(by, by > 0 ? 0 : line('$') + 1)
      endif
    endif
  })
enddef

# Goes to the next hunk, or to the one before when `by` is -1, also in another file. `from`: a line, by default that of
# the cursor.
export def Go(by: number, from = -1)
  WhenPlaced((buffer, hunks) => {
    const start = from >= 0 ? from : line('.')
    var lines = mapnew(hunks, (_, hunk) => LinesOf(buffer, hunk))
    filter(lines, (_, each) => by > 0 ? each[0] > start : each[0] < start)
    if empty(lines)
      GoOn(by)
      return
    endif
    const [first, last] = lines[by > 0 ? 0 : -1]
    execute "normal! m'"
    cursor(first, 1)
    execute 'normal! zv' .. (last > line('w$') ? 'zz' : '')
  })
enddef

# Decides about the hunks in some lines, and goes on. Where there are none it only does that. `action`: keep or revert.
export def Decide(action: string, first: number, last: number)
  WhenPlaced((buffer, hunks) => {
    const chosen = copy(hunks)->filter((_, hunk) => LinesOf(buffer, hunk)[0] <= last && LinesOf(buffer, hunk)[1] >= first)
    if empty(chosen)
      Go(1)
      return
    endif
    Send(buffer, chosen, action, min([first, LinesOf(buffer, chosen[0])[0]]))
  })
enddef

# Sends a decision, and goes on from a line, included.
def Send(buffer: number, chosen: list<dict<any>>, action: string, line: number)
  const state = shown[string(buffer)]
  const params = {filePath: state.file.filePath, revision: state.revision, ids: mapnew(chosen, (_, hunk) => hunk.id), action: action}
  const mine = action == 'revert' ? {content: text_of.Get(buffer)} : {}
  server.Ask('companion/decideHunks', extendnew(params, mine), (result) => {
    if has_key(mine, 'content') && text_of.Get(buffer) !=# mine.content
      say.Warn('The buffer has changed meanwhile: try again')
      return
    elseif has_key(result, 'content')
      text_of.Change(buffer, result.content, result.edits)
    endif
    if bufnr() == buffer
      Go(1, line - 1)
    endif
  })
enddef

defcompile
