vim9script
# Vim's lists of what waits: the proposals in the quickfix list, the changes of one in its location list.

import autoload 'ide_companion/diff.vim'
import autoload 'ide_companion/hunks.vim'
import autoload 'ide_companion/proposal.vim' as proposal_of
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/view.vim'

const title = 'Proposals'
const largest_window = 10
# To compare a larger text takes too long.
const largest_compared = 1024 * 1024

# Hunks of a proposal, as hunks.vim has them.
def HunksOf(proposal: dict<any>): list<list<number>>
  return hunks.BetweenBuffers(proposal.base, proposal.proposed)
enddef

# Where a hunk is in the proposed text; of lines that went, the line where they were.
def LineOf(proposal: dict<any>, hunk: list<number>): number
  return min([hunk[2], getbufinfo(proposal.proposed)[0].linecount])
enddef

def ToItem(proposal: dict<any>): dict<any>
  const all = len(proposal.newContent) > largest_compared ? [] : HunksOf(proposal)
  const changes = empty(all) ? '' : len(all) == 1 ? ', 1 change' : printf(', %d changes', len(all))
  const edited = proposal_of.IsEdited(proposal) ? ', edited by you' : ''
  return {
    bufnr: proposal.proposed,
    lnum: empty(all) ? 1 : LineOf(proposal, all[0]),
    text: proposal.label .. changes .. edited,
  }
enddef

# Opens the window of a list, which is as high as it needs. `command` is copen or lopen.
def OpenWindow(command: string, count: number)
  execute 'botright' command min([count, largest_window])
enddef

# Puts all proposals into the quickfix list. In its window Enter goes to the one on the line.
export def ShowProposals(proposals: list<dict<any>>)
  setqflist([], ' ', {title: title, items: mapnew(proposals, (_, proposal) => ToItem(proposal))})
  OpenWindow('copen', len(proposals))
  nnoremap <buffer> <silent> <CR> <Cmd>call ide_companion#lists#Enter()<CR>
enddef

# The user presses Enter in a quickfix window, which may show another list by now. A proposal is decided about in its
# own tab, so it is not shown in this one.
export def Enter()
  const list = getqflist({title: true, items: true})
  const item = get(list.items, line('.') - 1, {})
  const proposal: dict<any> = list.title == title && !empty(item)
    ? diff.Find((one) => one.proposed == item.bufnr) : {}
  if empty(proposal) && list.title == title
    say.Info('It is decided already.')
  elseif empty(proposal)
    execute ':.cc'
  else
    view.Enter(proposal)
    cursor(item.lnum, 1)
  endif
enddef

def ToChange(proposal: dict<any>, hunk: list<number>): dict<any>
  const [_, removed, start, added] = hunk
  const line = LineOf(proposal, hunk)
  return {
    bufnr: proposal.proposed,
    lnum: line,
    text: printf('-%d +%d  %s', removed, added, added > 0 ? getbufline(proposal.proposed, start)[0] : ''),
  }
enddef

# Puts the changes of a proposal into the location list of its window, and goes to the first one.
export def ShowHunks(proposal: dict<any>)
  view.Enter(proposal)
  const all = HunksOf(proposal)
  if empty(all)
    say.Info('The proposal changes nothing.')
    return
  endif
  setloclist(0, [], ' ', {title: 'Changes', items: mapnew(all, (_, hunk) => ToChange(proposal, hunk))})
  OpenWindow('lopen', len(all))
  view.Own(proposal, win_getid())
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
