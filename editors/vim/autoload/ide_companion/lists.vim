vim9script
# Vim's lists of what waits, in the quickfix list: proposals, or what agents wrote without asking.

import autoload 'ide_companion/diff.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/view.vim'

# The latest quickfix list of each list of the server: { id, items }. The items have names, which stay the same.
final latest: dict<dict<any>> = {}
const largest_window = 10

# What rows of the server are in the quickfix list, hunk by hunk. Where nothing can be shown in a file, as after its
# deletion, is a line without a place.
def ToItems(name: string, rows: list<dict<any>>): list<dict<any>>
  var items: list<dict<any>> = []
  for row in rows
    const proposal: dict<any> = diff.WaitingFor(row.id)
    if name == 'waiting' && empty(proposal)
      continue # on its way, or gone
    endif
    const place = empty(proposal) ? {filename: row.filePath} : {bufnr: proposal.proposed}
    for hunk in get(row, 'hunks', [{id: '', line: 0, text: row.agent .. ': ' .. row.text}])
      add(items, extendnew(place, {name: row.id .. hunk.id, module: row.label, lnum: hunk.line, text: hunk.text}))
    endfor
  endfor
  return items
enddef

# OnItems gets what the server says: items, the title, and what to say when there are none.
def Load(name: string, OnItems: func(list<dict<any>>, string, string))
  diff.FlushAll()
  server.Request('companion/list', {list: name}, (result, failure) => {
    const answer = result == null ? {title: 'Proposals', none: failure.message, rows: []} : result
    OnItems(ToItems(name, answer.rows), answer.title, answer.none)
  })
enddef

# Puts a list of the server into the quickfix list, unless it is empty: `waiting` or `written`. In its window Enter goes
# to the proposal on the line.
export def Show(name: string)
  Load(name, (items, title, none) => {
    if empty(items)
      say.Info(none)
      return
    endif
    setqflist([], ' ', {title: title, items: items})
    latest[name] = {id: getqflist({id: 0}).id, items: items}
    execute 'botright copen' min([len(items), largest_window])
    nnoremap <buffer> <silent> <CR> <Cmd>call ide_companion#lists#Enter()<CR>
  })
enddef

# A list follows: something has come, or is gone. The cursor stays on its item.
export def Follow(name: string)
  const id: number = get(get(latest, name, {}), 'id')
  if id > 0 && getqflist({id: id}).id == id
    Load(name, (items, _, _) => {
      const now = getqflist({id: id, idx: 0, winid: true})
      const at: number = now.winid > 0 ? line('.', now.winid) : now.idx
      const here = get(latest[name].items, at - 1, {name: ''}).name
      const found = mapnew(items, (_, item) => item.name)->index(here)
      latest[name].items = items
      setqflist([], 'r', {id: id, items: items, idx: found < 0 ? min([at, len(items)]) : found + 1})
    })
  endif
enddef

augroup ide_companion_lists
  autocmd!
  autocmd User IdeCompanionStatus Follow('waiting')
augroup END

# The user presses Enter in a quickfix window, which may show another list by now. A proposal is decided about in its
# own tab, so it is not shown in this one.
export def Enter()
  const item = get(getqflist(), line('.') - 1, {bufnr: 0})
  const proposal: dict<any> = diff.Find((one) => one.proposed == item.bufnr)
  if empty(proposal)
    execute ':.cc'
  else
    view.Enter(proposal)
    cursor(item.lnum, 1)
  endif
enddef

defcompile
