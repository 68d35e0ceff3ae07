vim9script
# Vim's lists of what waits: the proposals in the quickfix list, the changes of one in its location list.

import autoload 'ide_companion/diff.vim'
import autoload 'ide_companion/draft.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/status.vim'
import autoload 'ide_companion/view.vim'

const title = 'Proposals'
# The number of the latest quickfix list of proposals; 0 before the first.
var list_id = 0
const largest_window = 10

# Where a line of a hunk is in the proposed text; of lines that went, the line where they were.
def LineOf(proposal: dict<any>, line: number): number
  return min([line, getbufinfo(proposal.proposed)[0].linecount])
enddef

def ToItem(proposal: dict<any>, text: string): dict<any>
  const all: list<dict<number>> = proposal.hunks
  return {bufnr: proposal.proposed, module: proposal.label, lnum: LineOf(proposal, empty(all) ? 1 : all[0].line), text: text}
enddef

# OnItems gets what the server says of the proposals, and those that it knows no more.
def Load(OnItems: func(list<dict<any>>))
  diff.FlushAll()
  server.Request('companion/list', {list: 'waiting'}, (result, _) => {
    var items: list<dict<any>> = []
    for row in result == null ? [] : result.rows
      const proposal: dict<any> = diff.WaitingFor(row.id)
      items += empty(proposal) ? [] : [ToItem(proposal, row.agent .. ': ' .. row.text)]
    endfor
    const ended = diff.Waiting()->filter((_, proposal) => proposal.ended != '')
    OnItems(items + mapnew(ended, (_, proposal) => ToItem(proposal, proposal.ended)))
  })
enddef

# Opens the window of a list, which is as high as it needs. `command` is copen or lopen.
def OpenWindow(command: string, count: number)
  execute 'botright' command max([1, min([count, largest_window])])
enddef

# Puts all proposals into the quickfix list. In its window Enter goes to the one on the line.
export def ShowProposals()
  Load((items) => {
    setqflist([], ' ', {title: title, items: items})
    list_id = getqflist({id: 0}).id
    OpenWindow('copen', len(items))
    nnoremap <buffer> <silent> <CR> <Cmd>call ide_companion#lists#Enter()<CR>
  })
enddef

# The list follows: something has come, or is gone. The cursor stays on its proposal.
def Follow()
  const id = list_id
  if id > 0 && getqflist({id: id}).id == id
    Load((items) => {
      const list = getqflist({id: id, idx: 0, items: true, winid: true})
      const at: number = list.winid > 0 ? line('.', list.winid) : list.idx
      const here = get(list.items, at - 1, {bufnr: 0}).bufnr
      const found = mapnew(items, (_, item) => item.bufnr)->index(here)
      setqflist([], 'r', {id: id, items: items, idx: found < 0 ? min([at, len(items)]) : found + 1})
    })
  endif
enddef

status.OnChange(Follow)

# The user presses Enter in a quickfix window, which may show another list by now. A proposal is decided about in its
# own tab, so it is not shown in this one.
export def Enter()
  const list = getqflist({title: true, items: true})
  const item = get(list.items, line('.') - 1, {})
  const proposal: dict<any> = list.title == title && !empty(item)
    ? diff.Find((one) => one.proposed == item.bufnr) : {}
  if empty(proposal)
    execute ':.cc'
  else
    view.Enter(proposal)
    cursor(item.lnum, 1)
  endif
enddef

def ToChange(proposal: dict<any>, hunk: dict<number>): dict<any>
  return {
    bufnr: proposal.proposed,
    module: proposal.label,
    lnum: LineOf(proposal, hunk.line),
    text: printf('+%d -%d  %s', hunk.added, hunk.removed, hunk.added > 0 ? getbufline(proposal.proposed, hunk.line)[0] : ''),
  }
enddef

# Puts the changes of a proposal into the location list of its window, and goes to the first one.
export def ShowHunks(proposal: dict<any>)
  view.Enter(proposal)
  draft.WhenCompared(proposal, () => ListHunks(proposal))
enddef

def ListHunks(proposal: dict<any>)
  const all: list<dict<number>> = proposal.hunks
  if empty(all)
    say.Info('The proposal changes nothing.')
    return
  endif
  setloclist(0, [], ' ', {title: 'Changes', items: mapnew(all, (_, hunk) => ToChange(proposal, hunk))})
  OpenWindow('lopen', len(all))
  view.Own(proposal, win_getid())
enddef

defcompile
