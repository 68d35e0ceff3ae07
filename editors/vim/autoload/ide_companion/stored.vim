vim9script
# What the companion lists: what waits, recovered edits, comments that no agent has received, and what was decided. It
# sends rows with what can be done with each.

import autoload 'ide_companion/diff.vim'
import autoload 'ide_companion/label.vim'
import autoload 'ide_companion/lists.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/text.vim'

# In a comparison.
const keys = {restore: 'r', discard: 'd', undo: 'u', reapply: 'p', keep: 'a', revert: 'r'}

def Tell(result: dict<any>)
  say.Info(text.Sentence(result.message, result))
enddef

# `companion/news`
export def News(params: dict<any>)
  const Show = params.severity == 'warning' ? say.Warn : say.Info
  Show(text.Sentence(params.text, params) .. (has_key(params, 'list') ? '   :IdeCompanion ' .. params.list : ''))
enddef

# Pauses sharing, or ends the pause, for every companion of the project.
export def Pause(paused: bool)
  server.Ask('companion/pause', {paused: paused}, Tell)
enddef

# Says when the user looks at what agents write in this project, or sets it: `before`, `after`, `off`.
export def Review(mode: string)
  server.Ask('companion/review', empty(mode) ? {} : {mode: mode}, Tell)
enddef

# Shows what waits on the review page too.
export def Page()
  server.Ask('companion/openPage', {}, Tell)
enddef

def ToLine(row: dict<any>): string
  return printf('%s  %s, %s: %s', row.label, row.agent, strftime('%d %b %H:%M', row.at / 1000), row.text)
enddef

# Shows lines. Act gets the index of the one that the user chooses.
export def Menu(lines: list<string>, title: string, Act: func(number))
  popup_menu(lines, {
    title: printf(' %s ', title),
    callback: (_, choice) => {
      if choice > 0
        Act(choice - 1)
      endif
    },
  })
enddef

# Shows a list; the only row needs no choice. `wanted`: only rows that hold it.
export def Show(name: string, wanted = '')
  server.Ask('companion/list', {list: name, wanted: wanted}, (result) => {
    const rows: list<dict<any>> = result.rows
    if empty(rows)
      say.Info(result.none)
    elseif len(rows) == 1
      Enter(name, rows[0])
    else
      Menu(mapnew(rows, (_, row) => ToLine(row)), result.title, (index) => Enter(name, rows[index]))
    endif
  })
enddef

def Enter(name: string, row: dict<any>)
  const actions: list<dict<any>> = row.actions
  if actions[0].code == 'show'
    Perform(name, row, actions[0])
  else
    Menu(mapnew(actions, (_, action) => action.name), ToLine(row), (index) => Perform(name, row, actions[index]))
  endif
enddef

# Does something about what waits, with what the server has to know; `id` is that of a proposal, or empty for all.
# `stop_at` are patterns of files that wait for the user all the same, as in a `.gitignore`.
export def ActOnWaiting(action: string, id = '', stop_at: list<string> = [])
  diff.FlushAll()
  ActOn({list: 'waiting', id: id, action: action, stopAt: stop_at}, {}, Nothing)
enddef

def Nothing()
enddef

# Close closes the comparison that the user is in.
def Perform(name: string, row: dict<any>, action: dict<any>, Close: func() = Nothing)
  ActOn({list: name, id: row.id, action: action.code}, row, Close)
enddef

# `params` of `companion/act`, about a row.
def ActOn(params: dict<any>, row: dict<any>, Close: func())
  server.Ask('companion/act', params, (result) => {
    if has_key(result, 'ask')
      if confirm(result.ask.question, printf("&%s\n&Cancel", result.ask.yes), 2) == 1
        ActOn(extendnew(params, {sure: true}), row, Close)
      endif
      return
    elseif has_key(result, 'decide')
      Decide(result.decide)
    elseif has_key(result, 'put')
      Put(row, result.put, Close)
    elseif has_key(result, 'compare')
      Compare(params.list, row, result.compare)
    elseif has_key(result, 'removed')
      Close()
      lists.Follow(params.list)
    endif
    if has_key(result, 'message')
      const next = has_key(result, 'next') ? '   :IdeCompanion ' .. tr(result.next, '-', '_') : ''
      say.Info(text.Sentence(result.message, result) .. next)
    endif
  })
enddef

# Sends the user's decision about several proposals. Comments go along.
def Decide(what: dict<any>)
  for id in what.ids
    const proposal: dict<any> = diff.WaitingFor(id)
    if !empty(proposal)
      diff.Decide(proposal, what.accept ? 'diffAccepted' : 'diffRejected', !empty(proposal.comments))
    endif
  endfor
enddef

# Puts a text into the buffer of its file, as one unsaved change.
def Put(row: dict<any>, put: dict<any>, Close: func())
  const buffer = text.BufferOf(put.filePath)
  if put.onlySaved && buffer > 0 && getbufvar(buffer, '&modified')
    say.Warn(row.label .. ' has unsaved changes: write them first')
    return
  endif
  Close()
  execute 'hide edit' fnameescape(put.filePath)
  text.Replace(put.content)
  say.Info(printf(':w saves %s, u undoes that: %s', put.what, row.label))
enddef

# Shows a diff in a tab, with keys for the other actions of its row.
def Compare(name: string, row: dict<any>, compared: dict<any>)
  const from = win_getid()
  execute 'silent tab sbuffer' text.NewBuffer('Diff', compared.label, compared.patch)
  setlocal bufhidden=wipe nomodifiable filetype=diff
  const window = win_getid()
  const Close = () => {
    win_execute(window, 'silent! close')
    win_gotoid(from)
  }
  b:ide_companion_keys = {q: Close}
  var words = ['q closes']
  for action in reverse(row.actions[1 :])
    const key = keys[action.code]
    b:ide_companion_keys[key] = function(Perform, [name, row, action, Close])
    insert(words, key .. ' ' .. action.name)
  endfor
  for key in keys(b:ide_companion_keys)
    execute printf('nnoremap <buffer> <nowait> %s <Cmd>call b:ide_companion_keys.%s()<CR>', key, key)
  endfor
  label.SetTexts(window, words)
enddef

defcompile
