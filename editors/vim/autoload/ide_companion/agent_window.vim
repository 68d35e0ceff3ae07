vim9script
# Windows for the terminals of agents: a split or a tab. Agents that are shown at once share one area.

import autoload 'ide_companion/config.vim'

const splits = {
  right: 'botright vertical',
  left: 'topleft vertical',
  below: 'botright',
  above: 'topleft',
  tab: 'tab',
}

# A size below 1 is a fraction of the screen.
def ToCells(size: any, all: number): number
  const cells = float2nr(size < 1 ? all * size : size + 0.0)
  return max([1, min([cells, all - 2])])
enddef

# Opens a window with a command that takes `:vertical` and the like, and makes it the current one. `neighbour` is the
# window of another agent in this tab, or 0.
export def Open(command: string, neighbour: number)
  const options: dict<any> = config.Options().terminal
  const split: string = splits[options.position]
  if options.position != 'tab' && win_gotoid(neighbour)
    execute 'belowright' (split =~ 'vertical' ? '' : 'vertical') command
    return
  endif
  execute split command
  if split =~ 'vertical'
    setlocal winfixwidth
    # Wide enough for the boxes of an agent, and at most half of a small screen.
    execute 'vertical resize' ToCells(options.size ?? max([&columns * 45 / 100, min([80, &columns / 2])]), &columns)
  elseif split != 'tab'
    setlocal winfixheight
    execute 'resize' ToCells(options.size ?? 0.45, &lines)
  endif
enddef

# Hides the window of a terminal that runs on. The last window of Vim stays.
export def Hide(buffer: number)
  if winnr('$') > 1 || tabpagenr('$') > 1
    win_execute(bufwinid(buffer), 'hide')
  endif
enddef

defcompile
