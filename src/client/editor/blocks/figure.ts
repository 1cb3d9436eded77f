import { chainCommands } from "prosemirror-commands";
import { NodeSelection } from "prosemirror-state";
import type { Command } from "prosemirror-state";
import type { NodeViewConstructor } from "prosemirror-view";
import type { EditorBlock } from "../block.ts";
import { icons } from "../menus/icons.ts";
import { PictureView } from "../pictures/picture-view.ts";
import {
  arrow,
  backToFigure,
  deleteFigure,
  figureAt,
  leaveCaption,
  stayInCaption,
  toCaption,
} from "./figure-commands.ts";
import { figuresPlugin } from "./figure-plugin.ts";
import { FigureView } from "./figure-view.ts";

const toCaptionIfSelected: Command = (state, dispatch) =>
  state.selection instanceof NodeSelection && figureAt(state) !== null && toCaption(state, dispatch);

export const figureBlock: EditorBlock = {
  keys: {
    Enter: chainCommands(toCaptionIfSelected, leaveCaption),
    Backspace: backToFigure,
    Delete: stayInCaption,
    ArrowUp: arrow("up"),
    ArrowDown: arrow("down"),
    ArrowLeft: arrow("left"),
    ArrowRight: arrow("right"),
  },
  earlyKeys: { Backspace: deleteFigure, Delete: deleteFigure },
  items: [{ name: "Image", keywords: "picture photo upload", icon: icons.image }],
  plugins: () => [figuresPlugin()],
  views(_options, ask) {
    const picture: NodeViewConstructor = (node, view, getPos) =>
      new PictureView(node, view, getPos, (pos, anchor) => ask({ about: "alt", pos, anchor }));
    return {
      image: picture,
      figure_image: picture,
      figure: (node) => new FigureView(node),
      figure_pair: (node) => new FigureView(node),
    };
  },
};
