;;; ide-companion-waiting-comments.el --- Comments that no agent has received  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The program stores them until an agent has them, or the user discards them.

;;; Code:

(require 'ide-companion-log)
(require 'ide-companion-evil)
(require 'ide-companion-rpc)
(require 'ide-companion-stored)
(require 'ide-companion-text)

(defun ide-companion--copy-comments (waiting)
  "Copy the message of WAITING, and say so."
  (ide-companion--say "Your comments on %s are %s: paste them into %s"
                      (plist-get waiting :label)
                      (ide-companion--copy (plist-get waiting :message))
                      (plist-get waiting :agent)))

(defun ide-companion--say-in-prompt (agent)
  "Say that the comments are in the prompt of AGENT."
  (ide-companion--say "Your comments are in the prompt of %s: press Enter there" agent))

(defun ide-companion--comments-delivered (params)
  "`companion/commentsDelivered' with PARAMS."
  (when (equal (plist-get params :by) "prompt")
    (ide-companion--say-in-prompt (plist-get params :agent))))

(defun ide-companion--comments-recovered (params)
  "`companion/commentsRecovered' with PARAMS."
  (if (eq t (plist-get params :wasSent))
      (ide-companion--copy-comments params)
    (ide-companion--say "Your comments on %s wait: %s  M-x ide-companion-comments lists them"
                        (plist-get params :label) (plist-get params :reason))))

(defun ide-companion--announce-comments ()
  "Show a message about comments on files of the open folders that wait."
  (ide-companion--announce-stored
   :companion/waitingComments :comments
   (lambda (own)
     (format "Your comments on %s wait: M-x ide-companion-comments lists them"
             (if (cdr own) (format "%d proposals" (length own)) (plist-get (car own) :label))))))

(defvar ide-companion-comments-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'ide-companion-comments-read)
    (define-key map "s" #'ide-companion-comments-send)
    (define-key map "w" #'ide-companion-comments-copy)
    (define-key map "D" #'ide-companion-comments-discard)
    map)
  "Keys in the list of comments that wait.")

(define-derived-mode ide-companion-comments-mode ide-companion-stored-mode "Waiting Comments"
  "Comments that no agent has received."
  (setq-local revert-buffer-function (lambda (&rest _) (ide-companion-comments)))
  (ide-companion--evil-list-keys ide-companion-comments-mode-map))

;;;###autoload
(defun ide-companion-comments ()
  "List your comments on proposals that no agent has received.
In the list you read, send, copy or discard them."
  (interactive)
  (ide-companion--list-stored "*ide-companion comments*" 'ide-companion-comments-mode
                              (ide-companion--fetch-stored :companion/waitingComments :comments)
                              "RET shows them, s puts them into the agent's prompt, w copies, D discards"
                              "No comments wait"))

(defun ide-companion--comments-here ()
  "The comments at point."
  (ide-companion--stored-here "comments"))

(defun ide-companion-comments-read ()
  "Show the comments at point as the agent would receive them."
  (interactive)
  (let ((waiting (ide-companion--comments-here)))
    (with-current-buffer (get-buffer-create "*ide-companion message*")
      (special-mode)
      (ide-companion--show-direction-controls)
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert (plist-get waiting :message))
        (goto-char (point-min)))
      (display-buffer (current-buffer)))))

(defun ide-companion-comments-send ()
  "Put the comments at point into the prompt of an agent, or else copy them."
  (interactive)
  (let* ((waiting (ide-companion--comments-here))
         (answer (ide-companion--fetch :companion/sendComments (list :id (plist-get waiting :id))))
         (agent (plist-get answer :agent)))
    (if (not agent)
        (ide-companion--copy-comments waiting)
      (ide-companion-comments)
      (ide-companion--say-in-prompt agent))))

(defun ide-companion-comments-copy ()
  "Copy the comments at point, as one message for an agent."
  (interactive)
  (ide-companion--copy-comments (ide-companion--comments-here)))

(defun ide-companion-comments-discard ()
  "Forget the comments at point for good."
  (interactive)
  (when (ide-companion--discard-stored (ide-companion--comments-here) "your comments on"
                                       :companion/discardComments)
    (ide-companion-comments)))

(provide 'ide-companion-waiting-comments)
;;; ide-companion-waiting-comments.el ends here
